// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int clinux_clock_watch(void) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (descriptor < 0) return -errno;
    // Only a timer that runs is cancelled when the clock is set. This one runs until the year 2200.
    struct itimerspec never = {.it_value = {.tv_sec = 7258118400}};
    int flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
    // ECANCELED: it has been set since the line above, and the timer runs.
    if (timerfd_settime(descriptor, flags, &never, NULL) != 0 && errno != ECANCELED) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}
