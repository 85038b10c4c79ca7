// SPDX-License-Identifier: MIT
#ifndef CLINUX_FUTEX_H
#define CLINUX_FUTEX_H

#include <stdint.h>

/// Waits while `*word == expected`, until woken or until `deadline_ns` on CLOCK_MONOTONIC (INT64_MAX: for good).
/// Returns 0 when woken, else an errno: EAGAIN (the word had changed), ETIMEDOUT, EINTR. Allocates nothing.
/// Here because `syscall` is variadic, which Swift does not import, and glibc has no wrapper for futex.
int clinux_futex_wait(const uint32_t *word, uint32_t expected, int64_t deadline_ns);

/// Wakes one thread that waits on `word`. For the same reason.
void clinux_futex_wake(const uint32_t *word);

/// A non-blocking, close-on-exec eventfd with count 0, or -errno.
/// Here because Swift's Glibc module leaves out <sys/eventfd.h>.
int clinux_eventfd(void);

/// Adds 1 to the eventfd's count. A full count is as good as one more: the reader is woken in any case.
void clinux_eventfd_signal(int descriptor);

/// Sets the eventfd's count back to 0.
void clinux_eventfd_clear(int descriptor);

#endif
