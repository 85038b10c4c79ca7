// SPDX-License-Identifier: MIT
#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Starts the program at `path` in a session of its own. It gets /dev/null as standard descriptors, `descriptors` (at most 4) as
/// 3, 4, …, and no others; no signal is blocked or ignored. Returns its process number, or -errno: EINVAL for more descriptors.
/// Here because the flags and the closing of descriptors need _GNU_SOURCE.
pid_t clinux_spawn_session(const char *path, char *const arguments[], const int descriptors[], int count);

/// Starts the command that `arguments` begins with, looked for in PATH, beside the calling process: in its group, and with its standard
/// descriptors. It blocks the signals of `mask`, a `sigset_t`, and no others, and ignores SIGPIPE where `ignores_pipe` is not 0. Returns its process number, or -errno.
/// Here because `environ` and the attributes do not import.
pid_t clinux_spawn_beside(char *const arguments[], const void *mask, int ignores_pipe);

/// A descriptor that is readable while a signal of `mask`, a `sigset_t` whose signals are blocked, is pending; close-on-exec. Returns it,
/// or -errno. Here because the flags are an enum in Swift.
int clinux_signal_descriptor(const void *mask);

/// A pair of connected sockets that keep the bounds of messages, close-on-exec. Returns 0 or an errno.
/// Here because Swift has the kind of a socket as an enum, which takes no flags.
int clinux_message_pair(int sockets[2]);

/// Sends one message with copies of `count` descriptors (at most 4); never waits. Returns 0 or an errno.
/// Here, as the next, because the macros for control messages do not import.
int clinux_send_message(int socket, const void *message, size_t size, const int descriptors[], int count);

/// Receives one message of at most `size` bytes and up to 4 descriptors, close-on-exec. Returns its length, 0 at the end, or -errno.
ssize_t clinux_receive_message(int socket, void *message, size_t size, int descriptors[4], int *count);

/// As `clinux_catch`, for a `signal` that the kernel sends when the thread that started the calling process ends, even if the rest
/// of that thread's process cannot end yet. The same signal from another process has no effect. Here because `prctl` is variadic.
void clinux_signal_at_parents_end(int signal);

/// Blocks `signal`. Only `clinux_wait` lets it in, which it ends; it does nothing else.
/// Here because a handler has to be a C function that may run at any time.
void clinux_catch(int signal);

/// Waits until `descriptor` (-1: none) is readable or at its end: 0. Or until a signal that was given to `clinux_catch`: its number,
/// negative. Or until `deadline_ns` on CLOCK_MONOTONIC (INT64_MAX: for good): ETIMEDOUT, which may come early.
/// Here because `ppoll` needs _GNU_SOURCE.
int clinux_wait(int descriptor, int64_t deadline_ns);

/// The most bytes of an argument of `clinux_ioctl`.
#define CLINUX_MOST_ARGUMENT 64

/// The size of the argument, which the number of an ioctl contains. Here because `_IOC_SIZE` is a macro.
size_t clinux_ioctl_size(uint32_t request);

/// Performs an ioctl with a copy of `argument`, which the kernel may change. Returns 0 or an errno: EINVAL if `size` is not the size
/// that `request` contains, or is more than `CLINUX_MOST_ARGUMENT`. Here because `ioctl` is variadic.
int clinux_ioctl(int descriptor, uint32_t request, const void *argument, size_t size);

#endif
