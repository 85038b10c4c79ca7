// SPDX-License-Identifier: MIT
#ifndef CLINUX_LOCK_H
#define CLINUX_LOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// Shares a lock on one byte of a file that is open for reading. It belongs to the open file (OFD): it goes with the last descriptor of it, and so with the
/// process, and not, as one of POSIX would, with the first descriptor of the same file that any part of the process closes. Never waits. Returns 0 or an errno.
/// Here, as the next, because Swift's Glibc module leaves out the names of these locks.
int clinux_lock_share(int descriptor, int32_t byte);

/// Whether nobody has a lock on this byte but by `descriptor` itself; false where it cannot be found out.
bool clinux_lock_is_free(int descriptor, int32_t byte);

/// A byte among `length` from `start` on where a lock begins that anybody has but by `descriptor` itself; 0: there is none, or it cannot be found out.
int32_t clinux_lock_any(int descriptor, int32_t start, int32_t length);

/// A descriptor, close-on-exec, that stands for one process for good, whoever may get its number after it; or -errno.
/// Here, as the next, because older C libraries have no function for it.
int clinux_process_open(pid_t process);

/// Sends a signal to what `clinux_process_open` gave. Returns 0 or an errno: ESRCH where it has gone.
int clinux_process_signal(int descriptor, int signal);

#endif
