// SPDX-License-Identifier: MIT
// The least that a program can do between a line on a Unix socket and a real-time thread.
//
//   reference-line SOCKET hand-over    hands each line to a SCHED_FIFO thread by eventfd. The thread reads CLOCK_MONOTONIC, and the
//                                      client gets that: a line of nanoseconds
//   reference-line SOCKET count        lines are counted; `END` is answered with their number
//
// One client, one event loop. Prints `fifo` or `no fifo` when it listens.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { priority = 40 };  // As the daemon's, where nothing else is configured.

static int to_thread, from_thread;
static _Atomic int64_t felt_at;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void *real_time(void *unused) {
    (void)unused;
    for (;;) {
        uint64_t count;
        if (read(to_thread, &count, sizeof count) != sizeof count) fail("read");
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        atomic_store(&felt_at, now.tv_sec * INT64_C(1000000000) + now.tv_nsec);
        count = 1;
        if (write(from_thread, &count, sizeof count) != sizeof count) fail("write");
    }
    return NULL;
}

static void start_thread(void) {
    to_thread = eventfd(0, EFD_CLOEXEC);
    from_thread = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (to_thread < 0 || from_thread < 0) fail("eventfd");
    pthread_t thread;
    if ((errno = pthread_create(&thread, NULL, real_time, NULL))) fail("pthread_create");
    struct sched_param parameters = {.sched_priority = priority};
    puts(pthread_setschedparam(thread, SCHED_FIFO, &parameters) == 0 ? "fifo" : "no fifo");
}

static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1)) fail(path);
    return listener;
}

static void watch(int loop, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    if (epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event)) fail("epoll_ctl");
}

/// What a line causes: a hand-over, or one more in the count.
static void take_line(int client, const char *line, size_t length, bool counts, uint64_t *lines) {
    if (!counts) {
        uint64_t one = 1;
        if (write(to_thread, &one, sizeof one) != sizeof one) fail("write");
    } else if (length == 3 && memcmp(line, "END", 3) == 0) {
        dprintf(client, "%" PRIu64 "\n", *lines);
        *lines = 0;
    } else {
        *lines += 1;
    }
}

int main(int argc, char **argv) {
    bool counts = argc == 3 && strcmp(argv[2], "count") == 0;
    if (argc != 3 || (!counts && strcmp(argv[2], "hand-over") != 0)) {
        fprintf(stderr, "usage: reference-line SOCKET hand-over|count\n");
        return 2;
    }
    int listener = listen_at(argv[1]);
    if (mlockall(MCL_CURRENT | MCL_FUTURE)) perror("mlockall");
    int loop = epoll_create1(EPOLL_CLOEXEC);
    start_thread();
    fflush(stdout);
    watch(loop, from_thread);
    int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (client < 0) fail("accept");
    watch(loop, client);

    static char buffer[65536];
    size_t kept = 0;
    uint64_t lines = 0;
    for (;;) {
        struct epoll_event events[2];
        int count = epoll_wait(loop, events, 2, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd == from_thread) {
                uint64_t times;
                if (read(from_thread, &times, sizeof times) == sizeof times) dprintf(client, "%" PRId64 "\n", atomic_load(&felt_at));
                continue;
            }
            ssize_t read_now = read(client, buffer + kept, sizeof buffer - kept);
            if (read_now <= 0) return 0;
            size_t end = kept + (size_t)read_now, start = 0;
            for (char *newline; (newline = memchr(buffer + start, '\n', end - start)); start = (size_t)(newline + 1 - buffer))
                take_line(client, buffer + start, (size_t)(newline - buffer) - start, counts, &lines);
            kept = end - start;
            memmove(buffer, buffer + start, kept);
        }
    }
}
