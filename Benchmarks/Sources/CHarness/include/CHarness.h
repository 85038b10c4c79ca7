// SPDX-License-Identifier: MIT
#ifndef CHARNESS_H
#define CHARNESS_H

#include <stdint.h>
#include <sys/types.h>

/// Makes a folder, forks, and returns in the child with the path of the folder. The parent waits until the child has ended, ends all
/// that the child has started, removes the folder, and exits as the child did. So even a child that is killed leaves nothing behind.
/// To be called first in a program, before it has threads. Here because Swift has no fork.
const char *charness_supervise(void);

/// Starts the program at `path`, with its output and errors in these files. It gets SIGTERM when the calling thread ends.
/// Returns its process number, or -errno. Here because nothing that Swift has can ask for that signal.
pid_t charness_start(const char *path, char *const arguments[], char *const environment[], const char *output, const char *errors);

/// Waits up to `milliseconds` (-1: for good) for a child's end. Returns its exit status (128 + signal where one ended it), or
/// -ETIMEDOUT, or another -errno. Here because `pidfd_open` has no wrapper.
int charness_wait(pid_t process, int milliseconds);

/// The processor time of all threads of a process, those that have ended included, user and system, in ns; or -errno.
int64_t charness_cpu_time(pid_t process);

/// The priority under SCHED_FIFO of a thread; 0 where it has none, or -errno.
int charness_fifo_priority(pid_t thread);

#endif
