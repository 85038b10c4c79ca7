// SPDX-License-Identifier: MIT
/* A PWM chip without hardware, of three channels: it takes every state that a real one would and has no output. The last channel
 * is held by a driver of the kernel, as that of a display's light is.
 * Debian 12's kernel (6.1) has the PWM subsystem but no chip that runs in a virtual machine. Build it against its headers:
 *     make -C /usr/src/linux-headers-$RELEASE M=$PWD modules */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/pwm.h>

static struct platform_device *device;
static struct pwm_chip chip;
static struct pwm_device *backlight;

static int pwm_sim_apply(struct pwm_chip *chip, struct pwm_device *pwm, const struct pwm_state *state)
{
	/* Real chips cannot do every period; this one not less than 1 us. */
	return state->enabled && state->period < 1000 ? -EINVAL : 0;
}

static const struct pwm_ops pwm_sim_ops = {
	.apply = pwm_sim_apply,
	.owner = THIS_MODULE,
};

static int __init pwm_sim_init(void)
{
	int error;

	device = platform_device_register_simple("pwm-sim", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	chip.dev = &device->dev;
	chip.ops = &pwm_sim_ops;
	chip.npwm = 3;
	error = pwmchip_add(&chip);
	if (error)
		goto no_chip;
	backlight = pwm_request_from_chip(&chip, 2, "backlight");
	if (IS_ERR(backlight)) {
		error = PTR_ERR(backlight);
		goto no_backlight;
	}
	return 0;

no_backlight:
	pwmchip_remove(&chip);
no_chip:
	platform_device_unregister(device);
	return error;
}

static void __exit pwm_sim_exit(void)
{
	pwm_free(backlight);
	pwmchip_remove(&chip);
	platform_device_unregister(device);
}

module_init(pwm_sim_init);
module_exit(pwm_sim_exit);
MODULE_DESCRIPTION("A PWM chip without hardware");
MODULE_LICENSE("Dual MIT/GPL");
