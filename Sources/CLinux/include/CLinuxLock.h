// SPDX-License-Identifier: MIT
#ifndef CLINUX_LOCK_H
#define CLINUX_LOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// Shares a lock on one byte of a file that is open for reading. The lock belongs to the open file (OFD): it ends with its last
/// descriptor, and so with the process. A POSIX lock would end when any part of the process closes any descriptor of that file.
/// Never waits. Returns 0 or an errno.
/// Here, as the next two, because Swift's Glibc module leaves out the names of these locks.
int clinux_lock_share(int descriptor, int32_t byte);

/// Whether nobody has a lock on this byte, except by `descriptor` itself. False where that cannot be found out.
bool clinux_lock_is_free(int descriptor, int32_t byte);

/// Where, among `length` bytes from `start` on, a lock begins that somebody has, except by `descriptor` itself. 0: there is none, or
/// that cannot be found out.
int32_t clinux_lock_any(int descriptor, int32_t start, int32_t length);

/// A descriptor, close-on-exec, that means this process only, even when another one gets its number later; or -errno.
/// Here, as the next, because older C libraries have no function for it.
int clinux_process_open(pid_t process);

/// Sends a signal to the process of such a descriptor. Returns 0 or an errno: ESRCH where the process has gone.
int clinux_process_signal(int descriptor, int signal);

#endif
