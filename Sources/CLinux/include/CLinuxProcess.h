// SPDX-License-Identifier: MIT
#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Starts the program at `path` in a session of its own: standard descriptors on /dev/null, `descriptors` (at most 4) as 3, 4, …, no others,
/// no signal blocked or ignored. Returns its process id, or -errno: EINVAL where there are more.
/// Here because the flags and the closing of descriptors need _GNU_SOURCE.
pid_t clinux_spawn_session(const char *path, char *const arguments[], const int descriptors[], int count);

/// A pair of connected sockets that keep the bounds of messages, close-on-exec. Returns 0 or an errno.
/// Here because Swift has the kind of a socket as an enum, which takes no flags.
int clinux_message_pair(int sockets[2]);

/// Sends one message with copies of `count` descriptors (at most 4); never waits. Returns 0 or an errno.
/// Here, as the next, because the macros for control messages do not import.
int clinux_send_message(int socket, const void *message, size_t size, const int descriptors[], int count);

/// Receives one message of at most `size` bytes and up to 4 descriptors, close-on-exec. Returns its length, 0 at the end, or -errno.
ssize_t clinux_receive_message(int socket, void *message, size_t size, int descriptors[4], int *count);

/// As `clinux_catch`, for a `signal` that the kernel sends when the thread that started the calling process ends, be it the rest of its process cannot end yet.
/// The same signal from any other process is passed over. Here because `prctl` is variadic, too.
void clinux_signal_at_parents_end(int signal);

/// Gives `signal` nothing to do but to end a wait, and blocks it; `clinux_wait` lets it in.
/// Here because a handler has to be a C function that may run at any time.
void clinux_catch(int signal);

/// Waits until `descriptor` (-1: nothing) is readable or at its end, until a signal that was given to `clinux_catch`, or until `deadline_ns` on
/// CLOCK_MONOTONIC (INT64_MAX: for good). Returns 0, the negative number of the signal,
/// or ETIMEDOUT, which may come early.
/// Here because `ppoll` needs _GNU_SOURCE.
int clinux_wait(int descriptor, int64_t deadline_ns);

/// Sets the line of a GPIO line request inactive, whichever version of the kernel's interface it was requested by. Returns 0 or an errno.
/// Here because `ioctl` is variadic and its numbers are macros.
int clinux_line_off(int descriptor);

#endif
