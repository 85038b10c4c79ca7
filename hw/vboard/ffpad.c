// SPDX-License-Identifier: MIT
/* A force-feedback pad made through /dev/uinput. It serves uploads and erases as a driver would and prints what reaches it,
 * one JSON object a line, times in ns of CLOCK_MONOTONIC: those of plays, stops and gains are the kernel's own, taken when the
 * driver was called. Independent of the program under test.
 * usage: ffpad NAME SECONDS [rumble|periodic|constant|gain ...] [slots=N] [hang-uploads]
 * Default: every kind of effect, 16 slots. With hang-uploads no upload is ever answered (the kernel gives up after its own
 * time-out). Ends after SECONDS, or at SIGTERM: then the device is unplugged. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define CHECK(x) do { if ((x) < 0) { perror(#x); return 1; } } while (0)

static long long now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static volatile sig_atomic_t unplugged;

static void unplug(int signal) {
    (void)signal;
    unplugged = 1;
}

static int given(int argc, char **argv, const char *what) {
    for (int i = 3; i < argc; i++) if (!strcmp(argv[i], what)) return 1;
    return 0;
}

static int wants(int argc, char **argv, const char *what) {
    return given(argc, argv, what) || !(given(argc, argv, "rumble") || given(argc, argv, "periodic") ||
                                        given(argc, argv, "constant") || given(argc, argv, "gain"));
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "Virtual FF Pad";
    long long end = now_ns() + (argc > 2 ? atoll(argv[2]) : 5) * 1000000000LL;
    setvbuf(stdout, 0, _IOLBF, 0);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = unplug}, NULL);
    /* uinput keeps 16 events for a reader and then drops the oldest: a witness must never be the slower one. */
    CHECK(sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 60}));
    int fd = open("/dev/uinput", O_RDWR | O_CLOEXEC);
    CHECK(fd);
    CHECK(ioctl(fd, UI_SET_EVBIT, EV_KEY));
    CHECK(ioctl(fd, UI_SET_KEYBIT, BTN_SOUTH));
    CHECK(ioctl(fd, UI_SET_EVBIT, EV_FF));
    if (wants(argc, argv, "rumble")) CHECK(ioctl(fd, UI_SET_FFBIT, FF_RUMBLE));
    if (wants(argc, argv, "periodic")) {
        int bits[] = {FF_PERIODIC, FF_SQUARE, FF_SINE, FF_TRIANGLE};
        for (unsigned i = 0; i < 4; i++) CHECK(ioctl(fd, UI_SET_FFBIT, bits[i]));
    }
    if (wants(argc, argv, "constant")) CHECK(ioctl(fd, UI_SET_FFBIT, FF_CONSTANT));
    if (wants(argc, argv, "gain")) CHECK(ioctl(fd, UI_SET_FFBIT, FF_GAIN));
    int slots = 16, hang = given(argc, argv, "hang-uploads");
    for (int i = 3; i < argc; i++) if (!strncmp(argv[i], "slots=", 6)) slots = atoi(argv[i] + 6);
    struct uinput_setup setup = {.id = {BUS_USB, 0x045e, 0x028e, 0x0110}, .ff_effects_max = (unsigned)slots};
    snprintf(setup.name, sizeof setup.name, "%s", name);
    CHECK(ioctl(fd, UI_DEV_SETUP, &setup));
    CHECK(ioctl(fd, UI_DEV_CREATE));
    char sys[64] = "";
    ioctl(fd, UI_GET_SYSNAME(sizeof sys), sys);
    printf("{\"t\":%lld,\"what\":\"created\",\"name\":\"%s\",\"sys\":\"%s\"}\n", now_ns(), name, sys);

    struct pollfd p = {fd, POLLIN, 0};
    long long left;
    while (!unplugged && (left = end - now_ns()) > 0) {
        if (poll(&p, 1, (int)(left / 1000000) + 1) <= 0) continue;
        struct input_event e;
        if (read(fd, &e, sizeof e) != sizeof e) break;
        long long t = e.type == EV_UINPUT ? now_ns() : e.input_event_sec * 1000000000LL + e.input_event_usec * 1000LL;
        if (e.type == EV_UINPUT && e.code == UI_FF_UPLOAD && hang) {
            printf("{\"t\":%lld,\"what\":\"hanging\"}\n", t);
        } else if (e.type == EV_UINPUT && e.code == UI_FF_UPLOAD) {
            struct uinput_ff_upload up = {.request_id = (unsigned)e.value};
            CHECK(ioctl(fd, UI_BEGIN_FF_UPLOAD, &up));
            printf("{\"t\":%lld,\"what\":\"upload\",\"id\":%d,\"type\":%d,\"length\":%u,\"delay\":%u", t, up.effect.id,
                   up.effect.type, up.effect.replay.length, up.effect.replay.delay);
            if (up.effect.type == FF_RUMBLE)
                printf(",\"strong\":%u,\"weak\":%u", up.effect.u.rumble.strong_magnitude, up.effect.u.rumble.weak_magnitude);
            else if (up.effect.type == FF_PERIODIC)
                printf(",\"waveform\":%u,\"period\":%u,\"magnitude\":%d,\"attack\":%u,\"fade\":%u", up.effect.u.periodic.waveform,
                       up.effect.u.periodic.period, up.effect.u.periodic.magnitude,
                       up.effect.u.periodic.envelope.attack_length, up.effect.u.periodic.envelope.fade_length);
            else if (up.effect.type == FF_CONSTANT)
                printf(",\"level\":%d", up.effect.u.constant.level);
            printf("}\n");
            up.retval = 0;
            CHECK(ioctl(fd, UI_END_FF_UPLOAD, &up));
        } else if (e.type == EV_UINPUT && e.code == UI_FF_ERASE) {
            struct uinput_ff_erase er = {.request_id = (unsigned)e.value};
            CHECK(ioctl(fd, UI_BEGIN_FF_ERASE, &er));
            printf("{\"t\":%lld,\"what\":\"erase\",\"id\":%u}\n", t, er.effect_id);
            er.retval = 0;
            CHECK(ioctl(fd, UI_END_FF_ERASE, &er));
        } else if (e.type == EV_FF && e.code == FF_GAIN) {
            printf("{\"t\":%lld,\"what\":\"gain\",\"value\":%d}\n", t, e.value);
        } else if (e.type == EV_FF) {
            printf("{\"t\":%lld,\"what\":\"%s\",\"id\":%u,\"count\":%d}\n", t, e.value ? "play" : "stop", e.code, e.value);
        }
    }
    ioctl(fd, UI_DEV_DESTROY);
    printf("{\"t\":%lld,\"what\":\"destroyed\"}\n", now_ns());
    return 0;
}
