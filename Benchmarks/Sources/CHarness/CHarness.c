// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CHarness.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/hapticd-bench-XXXXXX";
static pid_t worker;

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static void pass_on(int signal) { kill(worker, signal); }

/// Sends `signal` to every child, its own ones and those that it has inherited. False where there is none.
static bool signal_children(int signal) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0) close(file);
    text[length > 0 ? length : 0] = 0;
    bool any = false;
    for (char *next = text, *end; (void)0, *next; next = end) {
        long child = strtol(next, &end, 10);
        if (end == next) break;
        if (child > 0) any = true, kill((pid_t)child, signal);
    }
    return any;
}

static void end_children(void) {
    for (int tries = 0; signal_children(tries < 20 ? SIGTERM : SIGKILL) && tries < 40; tries++) {
        usleep(50000);
        while (waitpid(-1, NULL, WNOHANG) > 0) {}
    }
}

const char *charness_supervise(void) {
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(1);
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t parent = getpid();
    worker = fork();
    if (worker < 0) {
        perror("fork");
        exit(1);
    }
    if (worker == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        return folder;
    }
    for (int i = 0; i < 3; i++) signal((int[]){SIGINT, SIGTERM, SIGHUP}[i], pass_on);
    int status = 0;
    for (pid_t ended = 0; ended != worker;) {
        ended = waitpid(-1, &status, 0);
        if (ended < 0 && errno != EINTR) break;
    }
    end_children();
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void redirect(const char *path, int descriptor) {
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(126);
    close(file);
}

pid_t charness_start(const char *path, char *const arguments[], char *const environment[], const char *output, const char *errors) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) return child < 0 ? -errno : child;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(126);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    if (null > STDIN_FILENO) close(null);
    redirect(output, STDOUT_FILENO);
    redirect(errors, STDERR_FILENO);
    execve(path, arguments, environment);
    dprintf(STDERR_FILENO, "%s: %s\n", path, strerror(errno));
    _exit(127);
}

int charness_wait(pid_t process, int milliseconds) {
    int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
    if (descriptor < 0) return -errno;
    struct pollfd end = {.fd = descriptor, .events = POLLIN};
    int ready;
    do {
        ready = poll(&end, 1, milliseconds);
    } while (ready < 0 && errno == EINTR);
    close(descriptor);
    if (ready <= 0) return ready == 0 ? -ETIMEDOUT : -errno;
    int status;
    if (waitpid(process, &status, 0) < 0) return -errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int64_t charness_cpu_time(pid_t process) {
    clockid_t clock;
    int error = clock_getcpuclockid(process, &clock);
    if (error) return -error;
    struct timespec time;
    if (clock_gettime(clock, &time)) return -errno;
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int charness_fifo_priority(pid_t thread) {
    int policy = sched_getscheduler(thread);
    if (policy < 0) return -errno;
    struct sched_param parameters;
    if (sched_getparam(thread, &parameters)) return -errno;
    return (policy & ~SCHED_RESET_ON_FORK) == SCHED_FIFO ? parameters.sched_priority : 0;
}
