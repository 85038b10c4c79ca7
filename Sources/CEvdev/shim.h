// SPDX-License-Identifier: MIT
// libevdev, and the force-feedback calls that Swift cannot make: EVIOC… are macros of macros, which it does not import.
#ifndef CEVDEV_SHIM_H
#define CEVDEV_SHIM_H

#include <errno.h>
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/// Gives `effect` to the device: to a new slot where its id is -1, and then writes the slot there. Returns 0 or an errno.
static inline int cevdev_upload(int descriptor, struct ff_effect *effect) {
    return ioctl(descriptor, EVIOCSFF, effect) < 0 ? errno : 0;
}

/// Returns 0 or an errno.
static inline int cevdev_erase(int descriptor, int id) {
    return ioctl(descriptor, EVIOCRMFF, id) < 0 ? errno : 0;
}

/// How many effects the device holds, or -errno.
static inline int cevdev_effect_count(int descriptor) {
    int count = 0;
    return ioctl(descriptor, EVIOCGEFFECTS, &count) < 0 ? -errno : count;
}

/// Writes up to two force-feedback events at once; a code below 0 is left out. Returns 0 or an errno.
/// Here because the time of `struct input_event` has other names on 32-bit machines.
static inline int cevdev_write(int descriptor, int first, int first_value, int second, int second_value) {
    struct input_event events[2];
    size_t count = 0;
    memset(events, 0, sizeof events);
    if (first >= 0) {
        events[count].type = EV_FF;
        events[count].code = (__u16)first;
        events[count].value = first_value;
        count += 1;
    }
    if (second >= 0) {
        events[count].type = EV_FF;
        events[count].code = (__u16)second;
        events[count].value = second_value;
        count += 1;
    }
    ssize_t size = (ssize_t)(count * sizeof events[0]);
    ssize_t written;
    do {
        written = write(descriptor, events, (size_t)size);
    } while (written < 0 && errno == EINTR);
    if (written < 0) return errno;
    return written == size ? 0 : EIO;
}

#endif
