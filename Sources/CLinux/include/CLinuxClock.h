// SPDX-License-Identifier: MIT
#ifndef CLINUX_CLOCK_H
#define CLINUX_CLOCK_H

/// A descriptor that has something to read once somebody has set CLOCK_REALTIME, or the machine has slept: then reading it fails with
/// ECANCELED. Non-blocking and close-on-exec; or -errno.
/// Here because Swift's Glibc module leaves out <sys/timerfd.h>.
int clinux_clock_watch(void);

#endif
