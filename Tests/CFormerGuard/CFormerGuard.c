// SPDX-License-Identifier: MIT
// In C, because Swift cannot fork, and the process is to be of the program that starts it.
#define _GNU_SOURCE
#include "CFormerGuard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void guard(const char *path, bool obeys, int report) {
    signal(SIGTERM, obeys ? SIG_DFL : SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    pid_t own = fcntl(file, F_SETLK, &lock) == 0 ? getpid() : -1;
    if (write(report, &own, sizeof own) < 0 || own < 0) _exit(1);
    while (true) pause();
}

pid_t cformerguard_start(const char *path, bool is_orphan, bool obeys) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        // What the other tests of this process have open, and locked by it, is not to stay so by this one.
        if (dup2(ends[1], 3) < 0 || syscall(SYS_close_range, 4, ~0U, 0) != 0) _exit(1);
        if (!is_orphan || fork() == 0) guard(path, obeys, 3);
        _exit(0);
    }
    close(ends[1]);
    pid_t started = -1;
    if (child < 0 || read(ends[0], &started, sizeof started) != sizeof started) started = -1;
    close(ends[0]);
    if (child > 0 && (is_orphan || started < 0)) waitpid(child, NULL, 0);
    return started;
}
