// SPDX-License-Identifier: MIT
/* A PWM chip without hardware, of three channels: it takes every state that a real one would and has no output. The last channel is held
 * by the kernel, as that of a display's light is.
 * Debian's kernels have the PWM subsystem but no chip that runs in a virtual machine. Build it against their headers, 6.1 or later:
 *     make -C /usr/src/linux-headers-$RELEASE M=$PWD modules */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/pwm.h>
#include <linux/version.h>

#define CHANNELS 3

static struct platform_device *device;
static struct pwm_chip *our_chip;
static struct pwm_device *backlight;

static int pwm_sim_apply(struct pwm_chip *chip, struct pwm_device *pwm, const struct pwm_state *state)
{
	/* Real chips cannot do every period; this one not less than 1 us. */
	return state->enabled && state->period < 1000 ? -EINVAL : 0;
}

static const struct pwm_ops pwm_sim_ops = {
	.apply = pwm_sim_apply,
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
	.owner = THIS_MODULE,
#endif
};

/* From 6.9 on, the subsystem makes chips. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
static struct pwm_chip *pwmchip_alloc(struct device *parent, unsigned int channels, size_t private)
{
	static struct pwm_chip only;

	only.dev = parent;
	only.npwm = channels;
	return &only;
}

static void pwmchip_put(struct pwm_chip *chip)
{
}
#endif

static int __init pwm_sim_init(void)
{
	int error;

	device = platform_device_register_simple("pwm-sim", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	our_chip = pwmchip_alloc(&device->dev, CHANNELS, 0);
	error = IS_ERR(our_chip) ? PTR_ERR(our_chip) : 0;
	if (error)
		goto no_chip;
	our_chip->ops = &pwm_sim_ops;
	error = pwmchip_add(our_chip);
	if (error)
		goto not_added;
	/* What a driver's request does to a channel. From 6.12 on, a module can ask for one by the board's device tree alone. */
	backlight = &our_chip->pwms[CHANNELS - 1];
	set_bit(PWMF_REQUESTED, &backlight->flags);
	backlight->label = "backlight";
	return 0;

not_added:
	pwmchip_put(our_chip);
no_chip:
	platform_device_unregister(device);
	return error;
}

static void __exit pwm_sim_exit(void)
{
	clear_bit(PWMF_REQUESTED, &backlight->flags);
	pwmchip_remove(our_chip);
	pwmchip_put(our_chip);
	platform_device_unregister(device);
}

module_init(pwm_sim_init);
module_exit(pwm_sim_exit);
MODULE_DESCRIPTION("A PWM chip without hardware");
MODULE_LICENSE("Dual MIT/GPL");
