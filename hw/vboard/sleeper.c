// SPDX-License-Identifier: MIT
/* How late the kernel's own timer is: sleeps until every INTERVAL ns with SCHED_FIFO and locked memory, as a good real-time
 * program would. It prints `ready` when it begins. At SIGTERM it prints for each instant, one a line, when it was due (CLOCK_MONOTONIC) and how late it woke, in
 * ns. The yardstick for what the program under test does at the same time: its priority is the higher one, so it is delayed by
 * the machine but not by that program.
 * usage: sleeper INTERVAL */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { MOST = 65536 };
static long long due[MOST], late[MOST];
static volatile sig_atomic_t ended;

static void end(int signal) {
    (void)signal;
    ended = 1;
}

static long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int argc, char **argv) {
    long long interval = argc > 1 ? atoll(argv[1]) : 0;
    if (interval <= 0) return 2;
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = end}, NULL);
    struct sched_param priority = {.sched_priority = 70};
    if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0 || mlockall(MCL_CURRENT) != 0) {
        perror("sleeper");
        return 1;
    }
    // Whoever started it waits for this: to load a program takes as long as the host's disk does, in virtual time, too.
    puts("ready");
    fflush(stdout);
    int count = 0;
    for (long long next = now_ns() + interval; count < MOST && !ended; next += interval) {
        struct timespec until = {next / 1000000000, next % 1000000000};
        if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) continue;
        due[count] = next;
        late[count++] = now_ns() - next;
    }
    for (int i = 0; i < count; i++) printf("%lld %lld\n", due[i], late[i]);
    return 0;
}
