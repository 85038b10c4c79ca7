// SPDX-License-Identifier: MIT
// The least that a 200 Hz pulse-width modulation by software costs: sleeps until each edge and sets a line that does nothing.
//
//   reference-pwm SECONDS PERCENT
//
// Prints `fifo` or `no fifo` at the start and the number of edges at the end.
#define _GNU_SOURCE
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

enum { priority = 40, period_ns = 5000000 };

static uint64_t edges;

/// The null line. Not inlined, as a call into libgpiod would not be.
__attribute__((noinline)) static void set(bool active) {
    __asm__ volatile("" : : "r"(active) : "memory");
    edges += 1;
}

static void sleep_until(int64_t instant) {
    struct timespec until = {.tv_sec = instant / 1000000000, .tv_nsec = instant % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {}
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: reference-pwm SECONDS PERCENT\n");
        return 2;
    }
    int64_t periods = atoll(argv[1]) * 1000000000 / period_ns;
    int64_t on = period_ns / 100 * atoll(argv[2]);
    if (mlockall(MCL_CURRENT | MCL_FUTURE)) perror("mlockall");
    struct sched_param parameters = {.sched_priority = priority};
    puts(sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 ? "fifo" : "no fifo");
    fflush(stdout);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t start = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    for (int64_t period = 0; period < periods; period++, start += period_ns) {
        set(true);
        sleep_until(start + on);
        set(false);
        sleep_until(start + period_ns);
    }
    printf("%" PRIu64 "\n", edges);
    return 0;
}
