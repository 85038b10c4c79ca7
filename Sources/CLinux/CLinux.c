// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

// MCL_ONFAULT came with Linux 4.4; older C libraries do not name it.
#ifndef MCL_ONFAULT
#define MCL_ONFAULT 4
#endif

int clinux_futex_wait(const uint32_t *word, uint32_t expected, int64_t deadline_ns) {
    struct timespec deadline = {.tv_sec = deadline_ns / 1000000000, .tv_nsec = deadline_ns % 1000000000};
    const struct timespec *timeout = deadline_ns == INT64_MAX ? NULL : &deadline;
    // The plain FUTEX_WAIT takes a relative timeout, the one with a bitset an absolute one.
    long result = syscall(
        SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected, timeout, NULL, FUTEX_BITSET_MATCH_ANY);
    return result == 0 ? 0 : errno;
}

void clinux_futex_wake(const uint32_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
}

int clinux_eventfd(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor >= 0 ? descriptor : -errno;
}

void clinux_eventfd_signal(int descriptor) {
    while (eventfd_write(descriptor, 1) != 0 && errno == EINTR) {
    }
}

void clinux_eventfd_clear(int descriptor) {
    eventfd_t count;
    while (eventfd_read(descriptor, &count) != 0 && errno == EINTR) {
    }
}

int clinux_inotify(void) {
    int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    return descriptor >= 0 ? descriptor : -errno;
}

int clinux_inotify_watch(int descriptor, const char *folder) {
    uint32_t events = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_ONLYDIR;
    return inotify_add_watch(descriptor, folder, events) >= 0 ? 0 : errno;
}

struct thread_start {
    void (*body)(void *context);
    void *context;
    // A copy: the caller's may be gone by the time that the thread runs.
    char name[16];
};

static void *run_thread(void *argument) {
    struct thread_start start = *(struct thread_start *)argument;
    free(argument);
    // Here: the thread that starts this one cannot know whether it has ended already.
    pthread_setname_np(pthread_self(), start.name);
    start.body(start.context);
    return NULL;
}

int clinux_start_thread(const char *name, void *context, void (*body)(void *context)) {
    struct thread_start *start = malloc(sizeof *start);
    if (!start) return ENOMEM;
    *start = (struct thread_start){.body = body, .context = context};
    snprintf(start->name, sizeof start->name, "%s", name);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int error = pthread_create(&thread, &attributes, run_thread, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error != 0) free(start);
    return error;
}

int clinux_thread_set_name(pthread_t thread, const char *name) {
    return pthread_setname_np(thread, name);
}

// False where there is no such number.
static bool only(int cpu, cpu_set_t *set) {
    if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
    CPU_ZERO(set);
    CPU_SET(cpu, set);
    return true;
}

int clinux_thread_pin(pthread_t thread, int cpu) {
    cpu_set_t set;
    return only(cpu, &set) ? pthread_setaffinity_np(thread, sizeof set, &set) : EINVAL;
}

pid_t clinux_thread_number(void) {
    return (pid_t)syscall(SYS_gettid);
}

int clinux_thread_cpu(void) {
    return sched_getcpu();
}

bool clinux_thread_is_real_time(void) {
    int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    return policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE;
}

_Static_assert(sizeof(clinux_cpus) == sizeof(cpu_set_t), "each stands for the other");

int clinux_thread_get_cpus(pid_t thread, clinux_cpus *cpus) {
    cpu_set_t set;
    if (sched_getaffinity(thread, sizeof set, &set) != 0) return errno;
    memcpy(cpus, &set, sizeof set);
    return 0;
}

void clinux_widen_cpus(clinux_cpus *cpus) {
    cpu_set_t set;
    memcpy(&set, cpus, sizeof set);
    if (CPU_COUNT(&set) >= sysconf(_SC_NPROCESSORS_ONLN)) memset(cpus, 0xff, sizeof *cpus);
}

int clinux_thread_set_cpus(const clinux_cpus *cpus) {
    cpu_set_t set;
    memcpy(&set, cpus, sizeof set);
    if (sched_setaffinity(0, sizeof set, &set) == 0) return 0;
    memset(&set, 0xff, sizeof set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}

int clinux_thread_confine(pid_t thread, int cpu) {
    cpu_set_t set;
    if (!only(cpu, &set)) return EINVAL;
    return sched_setaffinity(thread, sizeof set, &set) == 0 ? 0 : errno;
}

// With CAP_IPC_LOCK no limit counts, whatever it is.
static bool may_lock_all(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, capabilities) != 0) return false;
    return (capabilities[CAP_TO_INDEX(CAP_IPC_LOCK)].effective & CAP_TO_MASK(CAP_IPC_LOCK)) != 0;
}

int clinux_lock_memory(void) {
    // Under a limit it would go well now, and the first allocation beyond it would fail.
    const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    if (!may_lock_all() && setrlimit(RLIMIT_MEMLOCK, &unlimited) != 0) return errno;
    return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 ? 0 : errno;
}

void clinux_set_timer_slack(unsigned long nanoseconds) {
    prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}

void clinux_occupy_standard_descriptors(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor += 1) {
        if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
        // `open` takes the lowest free number, and those below are taken by now.
        if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
    }
}

int clinux_open_node(const char *path) {
    int descriptor = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    return descriptor >= 0 ? descriptor : -errno;
}

ssize_t clinux_access_list(const char *path, void *bytes, size_t size) {
    ssize_t length = getxattr(path, "system.posix_acl_access", bytes, size);
    if (length >= 0) return length;
    return errno == ENODATA || errno == EOPNOTSUPP ? 0 : -errno;
}

void clinux_touch_stack(size_t size) {
    volatile char stack[64 * 1024];
    for (size_t offset = 0; offset < size && offset < sizeof stack; offset += 1024) {
        stack[sizeof stack - 1 - offset] = 0;
    }
}
