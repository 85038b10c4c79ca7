// SPDX-License-Identifier: MIT
// libevdev, and the calls of input devices that Swift cannot make: EVIOC… are macros of macros, which it does not import.
#ifndef CEVDEV_SHIM_H
#define CEVDEV_SHIM_H

#include <errno.h>
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
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

// Reading keys, switches and axes.

/// As many as are read at once; of one device the kernel keeps 64 or more.
#define CEVDEV_MOST_EVENTS 64

/// What an input device has reported; `ns` of the clock that was chosen.
struct cevdev_event {
    int64_t ns;
    uint16_t type;
    uint16_t code;
    int32_t value;
};

#define CEVDEV_WORD (8 * sizeof(unsigned long))
#define CEVDEV_WORDS(bits) (((bits) + CEVDEV_WORD - 1) / CEVDEV_WORD)

static inline void cevdev_set_bit(unsigned long *bits, unsigned int bit) { bits[bit / CEVDEV_WORD] |= 1ul << bit % CEVDEV_WORD; }

/// A key (EV_KEY), a switch (EV_SW) or an axis (EV_ABS).
struct cevdev_code {
    uint16_t type;
    uint16_t code;
};

static inline int cevdev_mask(int descriptor, unsigned int type, const unsigned long *bits, size_t size) {
    struct input_mask mask = {.type = type, .codes_size = (__u32)size, .codes_ptr = (uintptr_t)bits};
    return ioctl(descriptor, EVIOCSMASK, &mask) < 0 ? errno : 0;
}

/// Lets only these through to this descriptor, and what says that some of its events were dropped. Returns 0 or an errno.
static inline int cevdev_mask_others(int descriptor, const struct cevdev_code *codes, size_t count) {
    unsigned long types[CEVDEV_WORDS(EV_CNT)] = {0};
    // EV_SYN itself is never held back; its mask is the one of types.
    for (size_t index = 0; index < count; index++) cevdev_set_bit(types, codes[index].type);
    int error = cevdev_mask(descriptor, EV_SYN, types, sizeof types);
    const unsigned int masked[] = {EV_KEY, EV_SW, EV_ABS};
    for (size_t type = 0; type < sizeof masked / sizeof masked[0] && error == 0; type++) {
        unsigned long bits[CEVDEV_WORDS(KEY_CNT)] = {0};
        for (size_t index = 0; index < count; index++)
            if (codes[index].type == masked[type] && codes[index].code < KEY_CNT) cevdev_set_bit(bits, codes[index].code);
        // The kernel reads no more of it than a type has codes.
        error = cevdev_mask(descriptor, masked[type], bits, sizeof bits);
    }
    return error;
}

/// Has the device's events come with times of CLOCK_MONOTONIC. Returns 0 or an errno.
static inline int cevdev_use_monotonic_clock(int descriptor) {
    int clock = CLOCK_MONOTONIC;
    return ioctl(descriptor, EVIOCSCLOCKID, &clock) < 0 ? errno : 0;
}

static inline bool cevdev_has_bit(const unsigned long *bits, unsigned int bit) {
    return bits[bit / CEVDEV_WORD] >> bit % CEVDEV_WORD & 1;
}

static inline bool cevdev_has_type(const struct cevdev_code *codes, size_t count, uint16_t type) {
    for (size_t index = 0; index < count; index++)
        if (codes[index].type == type) return true;
    return false;
}

/// Reads the values that these have now: 0 or 1 of a key or a switch. All keys are read at once, and all switches: the kernel drops what
/// it had queued of that type before. Returns 0 or an errno.
static inline int cevdev_read_values(int descriptor, const struct cevdev_code *codes, size_t count, int32_t *values) {
    unsigned long keys[CEVDEV_WORDS(KEY_CNT)] = {0}, switches[CEVDEV_WORDS(SW_CNT)] = {0};
    if (cevdev_has_type(codes, count, EV_KEY) && ioctl(descriptor, EVIOCGKEY(sizeof keys), keys) < 0) return errno;
    if (cevdev_has_type(codes, count, EV_SW) && ioctl(descriptor, EVIOCGSW(sizeof switches), switches) < 0) return errno;
    for (size_t index = 0; index < count; index++) {
        struct input_absinfo axis = {0};
        uint16_t code = codes[index].code;
        switch (codes[index].type) {
        case EV_KEY: values[index] = code < KEY_CNT && cevdev_has_bit(keys, code); break;
        case EV_SW: values[index] = code < SW_CNT && cevdev_has_bit(switches, code); break;
        default:
            if (ioctl(descriptor, EVIOCGABS(code), &axis) < 0) return errno;
            values[index] = axis.value;
        }
    }
    return 0;
}

/// Reads up to CEVDEV_MOST_EVENTS that are there. Returns how many, 0 where there is none, or -errno.
static inline int cevdev_read(int descriptor, struct cevdev_event *events) {
    struct input_event raw[CEVDEV_MOST_EVENTS];
    ssize_t size;
    do {
        size = read(descriptor, raw, sizeof raw);
    } while (size < 0 && errno == EINTR);
    if (size < 0) return errno == EAGAIN ? 0 : -errno;
    // The end of what has no end.
    if (size == 0) return -ENODEV;
    int count = (int)((size_t)size / sizeof raw[0]);
    for (int index = 0; index < count; index++) {
        events[index].ns = (int64_t)raw[index].input_event_sec * 1000000000 + (int64_t)raw[index].input_event_usec * 1000;
        events[index].type = raw[index].type;
        events[index].code = raw[index].code;
        events[index].value = raw[index].value;
    }
    return count;
}

#endif
