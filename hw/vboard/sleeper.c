// SPDX-License-Identifier: MIT
/* How late the kernel's own timer is: sleeps until each instant read from standard input (ns after the start, one a line)
 * with SCHED_FIFO and locked memory, as a good real-time program would, and prints how late it woke, in ns, one a line.
 * The yardstick for what the program under test does at the same instants. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

enum { MOST = 65536 };
static long long at[MOST], late[MOST];

int main(void) {
    int count = 0;
    while (count < MOST && scanf("%lld", &at[count]) == 1) count++;
    struct sched_param priority = {.sched_priority = 40};
    if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0 || mlockall(MCL_CURRENT) != 0) {
        perror("sleeper");
        return 1;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long start = now.tv_sec * 1000000000LL + now.tv_nsec + 20000000;
    for (int i = 0; i < count; i++) {
        long long due = start + at[i];
        struct timespec until = {due / 1000000000, due % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
        clock_gettime(CLOCK_MONOTONIC, &now);
        late[i] = now.tv_sec * 1000000000LL + now.tv_nsec - due;
    }
    for (int i = 0; i < count; i++) printf("%lld\n", late[i]);
    return 0;
}
