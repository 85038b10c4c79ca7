// SPDX-License-Identifier: MIT
// Asks feedbackd for feedback, as its own client library does: org.sigxcpu.Feedback.TriggerFeedback on the session bus.
//
//   feedbackd-client calls COUNT             one after the other; prints how long each took, in ns, a line each
//   feedbackd-client flood COUNT WINDOW      up to WINDOW unanswered at a time; prints how long all took, in ns
//   feedbackd-client start PROGRAM           starts feedbackd and prints how long it took until it had its name, in ns; goes on
//                                            until feedbackd ends
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

static const char name[] = "org.sigxcpu.Feedback", path[] = "/org/sigxcpu/Feedback", event[] = "button-pressed";

static void check(int result, const char *what) {
    if (result >= 0) return;
    fprintf(stderr, "feedbackd-client: %s: %s\n", what, strerror(-result));
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static sd_bus_message *request(sd_bus *bus) {
    sd_bus_message *message = NULL;
    check(sd_bus_message_new_method_call(bus, &message, name, path, name, "TriggerFeedback"), "new call");
    check(sd_bus_message_append(message, "ssa{sv}i", "bench", event, 0, -1), "append");
    return message;
}

static void calls(sd_bus *bus, int count) {
    int64_t *times = calloc((size_t)count, sizeof *times);
    for (int i = 0; i < count; i++) {
        int64_t start = now();
        sd_bus_message *message = request(bus), *reply = NULL;
        sd_bus_error error = SD_BUS_ERROR_NULL;
        check(sd_bus_call(bus, message, 0, &error, &reply), error.message ? error.message : "TriggerFeedback");
        times[i] = now() - start;
        sd_bus_message_unref(message);
        sd_bus_message_unref(reply);
    }
    for (int i = 0; i < count; i++) printf("%" PRId64 "\n", times[i]);
    free(times);
}

static int answered(sd_bus_message *reply, void *count, sd_bus_error *error) {
    (void)error;
    const sd_bus_error *failure = sd_bus_message_get_error(reply);
    if (failure) check(-EIO, failure->message);
    *(int *)count += 1;
    return 0;
}

static void flood(sd_bus *bus, int count, int window) {
    int sent = 0, done = 0;
    int64_t start = now();
    while (done < count) {
        for (; sent < count && sent - done < window; sent++) {
            sd_bus_message *message = request(bus);
            check(sd_bus_call_async(bus, NULL, message, answered, &done, 0), "call");
            sd_bus_message_unref(message);
        }
        int busy = sd_bus_process(bus, NULL);
        check(busy, "process");
        if (busy == 0) check(sd_bus_wait(bus, UINT64_MAX), "wait");
    }
    printf("%" PRId64 "\n", now() - start);
}

static int owned(sd_bus_message *message, void *when, sd_bus_error *error) {
    (void)error;
    const char *which, *before, *after;
    check(sd_bus_message_read(message, "sss", &which, &before, &after), "NameOwnerChanged");
    if (strcmp(which, name) == 0 && *after) *(int64_t *)when = now();
    return 0;
}

static void start(sd_bus *bus, const char *program) {
    int64_t when = 0;
    check(sd_bus_match_signal(bus, NULL, "org.freedesktop.DBus", NULL, "org.freedesktop.DBus", "NameOwnerChanged", owned, &when),
          "match");
    int64_t begin = now();
    pid_t child = fork();
    if (child == 0) {
        // feedbackd ends with this program, whatever ends that.
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    check(child < 0 ? -errno : 0, "fork");
    while (!when) {
        int busy = sd_bus_process(bus, NULL);
        check(busy, "process");
        if (busy == 0 && !when) check(sd_bus_wait(bus, 5000000), "wait");
        if (waitpid(child, NULL, WNOHANG) == child) check(-ECHILD, "feedbackd has ended");
        if (now() - begin > INT64_C(10000000000)) check(-ETIMEDOUT, "feedbackd took no name");
    }
    printf("%" PRId64 "\n", when - begin);
    fflush(stdout);
    sd_bus_close(bus);
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
    sd_bus *bus = NULL;
    check(sd_bus_open_user(&bus), "the session bus");
    if (argc == 3 && strcmp(argv[1], "calls") == 0) calls(bus, atoi(argv[2]));
    else if (argc == 4 && strcmp(argv[1], "flood") == 0) flood(bus, atoi(argv[2]), atoi(argv[3]));
    else if (argc == 3 && strcmp(argv[1], "start") == 0) start(bus, argv[2]);
    else {
        fprintf(stderr, "usage: feedbackd-client calls COUNT | flood COUNT WINDOW | start PROGRAM\n");
        return 2;
    }
    sd_bus_unref(bus);
    return 0;
}
