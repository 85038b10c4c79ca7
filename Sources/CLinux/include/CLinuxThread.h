// SPDX-License-Identifier: MIT
#ifndef CLINUX_THREAD_H
#define CLINUX_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// Starts a detached thread with a stack of 256 KiB and every signal blocked: signals are for the threads that expect them.
/// `name` has at most 15 characters and stays where it is. Returns 0 or an errno; where it fails `body` is never called.
/// Here because naming needs _GNU_SOURCE.
int clinux_start_thread(const char *name, void *context, void (*body)(void *context));

/// Names a thread, at most 15 characters. Returns 0 or an errno.
/// Here, as the next three, because it is declared under _GNU_SOURCE only.
int clinux_thread_set_name(pthread_t thread, const char *name);

/// Lets a thread run on this processor only. Returns 0 or an errno. `cpu_set_t` is made of macros besides.
int clinux_thread_pin(pthread_t thread, int cpu);

/// The kernel's number of the calling thread. Here because `syscall` is variadic, and older C libraries have no `gettid`.
pid_t clinux_thread_number(void);

/// The processor that the calling thread runs on, from 0; below 0 where that is not known. No system call on common machines.
int clinux_thread_cpu(void);

/// Whether the calling thread has a real-time policy.
bool clinux_thread_is_real_time(void);

/// The processors that a thread may run on, one bit each.
typedef struct {
    unsigned long bits[1024 / (8 * sizeof(unsigned long))];
} clinux_cpus;

/// Reads on which online processors `thread` (0: the calling one) may run. Returns 0 or an errno.
/// Here, as the next three, because `cpu_set_t` is made of macros.
int clinux_thread_get_cpus(pid_t thread, clinux_cpus *cpus);

/// Adds the processors that are not online yet where `cpus` has all that are online; else changes nothing.
void clinux_widen_cpus(clinux_cpus *cpus);

/// Lets the calling thread run on these processors or, where that is no longer possible, on all that the system allows. Returns 0 or
/// an errno.
int clinux_thread_set_cpus(const clinux_cpus *cpus);

/// Lets `thread` run on this processor only; where it runs on another it is moved. Returns 0 or an errno.
int clinux_thread_confine(pid_t thread, int cpu);

/// Keeps every page of the process in memory once it has been touched. Returns 0 or an errno.
/// Without MCL_ONFAULT whole stacks and the whole binary would become resident. Without CAP_IPC_LOCK it first lifts the limit on
/// locked memory; where it may not it locks nothing, for under a limit a later allocation would fail.
/// Here because the limit's name and MCL_ONFAULT need _GNU_SOURCE.
int clinux_lock_memory(void);

/// How much later than asked for the kernel may wake the calling thread, in nanoseconds from 1, to share wake-ups. A thread starts
/// with 50,000; under SCHED_FIFO it has none. Here because `prctl` is variadic.
void clinux_set_timer_slack(unsigned long nanoseconds);

/// Touches `size` bytes (at most 64 KiB) of the calling thread's stack below this call: they are in memory then.
/// Here because Swift has no array that is sure to be on the stack.
void clinux_touch_stack(size_t size);

#endif
