// SPDX-License-Identifier: MIT
#ifndef CLINUX_READINESS_H
#define CLINUX_READINESS_H

#include <stdbool.h>
#include <stdint.h>

/// A descriptor that has something to read, or has come to its end.
struct clinux_ready {
    uint64_t token;
    bool has_ended;
};

/// A set of descriptors to wait for, close-on-exec; or -errno.
/// Here, as the others, because Swift's Glibc module leaves out <sys/epoll.h>.
int clinux_readiness(void);

/// Waits for a descriptor, which is reported once, as `token`; and after `clinux_readiness_again` once more. Returns 0 or an errno.
int clinux_readiness_add(int set, int descriptor, uint64_t token);
int clinux_readiness_again(int set, int descriptor, uint64_t token);
void clinux_readiness_remove(int set, int descriptor);

/// Waits until descriptors have something to read, and puts up to `most` (at most 16) of them into `ready`. Returns how many, 0 after a
/// signal, or -errno.
int clinux_readiness_wait(int set, struct clinux_ready *ready, int most);

#endif
