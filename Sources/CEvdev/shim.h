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

// Reading keys.

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

/// Lets only these keys through to this descriptor, and what says that some of its events were dropped. Returns 0 or an errno.
static inline int cevdev_mask_keys(int descriptor, const uint16_t *codes, size_t count) {
    unsigned long types[CEVDEV_WORDS(EV_CNT)] = {0}, keys[CEVDEV_WORDS(KEY_CNT)] = {0};
    // EV_SYN itself is never held back; its mask is the one of types.
    cevdev_set_bit(types, EV_KEY);
    for (size_t index = 0; index < count; index++)
        if (codes[index] < KEY_CNT) cevdev_set_bit(keys, codes[index]);
    struct input_mask mask = {.type = EV_SYN, .codes_size = sizeof types, .codes_ptr = (uintptr_t)types};
    if (ioctl(descriptor, EVIOCSMASK, &mask) < 0) return errno;
    mask = (struct input_mask){.type = EV_KEY, .codes_size = sizeof keys, .codes_ptr = (uintptr_t)keys};
    return ioctl(descriptor, EVIOCSMASK, &mask) < 0 ? errno : 0;
}

/// Has the device's events come with times of CLOCK_MONOTONIC. Returns 0 or an errno.
static inline int cevdev_use_monotonic_clock(int descriptor) {
    int clock = CLOCK_MONOTONIC;
    return ioctl(descriptor, EVIOCSCLOCKID, &clock) < 0 ? errno : 0;
}

/// Reads which of these keys are down now; the kernel drops what it had queued of keys before. Returns 0 or an errno.
static inline int cevdev_read_keys(int descriptor, const uint16_t *codes, size_t count, bool *are_down) {
    unsigned long keys[CEVDEV_WORDS(KEY_CNT)] = {0};
    if (ioctl(descriptor, EVIOCGKEY(sizeof keys), keys) < 0) return errno;
    for (size_t index = 0; index < count; index++)
        are_down[index] = codes[index] < KEY_CNT && (keys[codes[index] / CEVDEV_WORD] >> codes[index] % CEVDEV_WORD & 1);
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
