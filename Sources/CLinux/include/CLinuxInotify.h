// SPDX-License-Identifier: MIT
#ifndef CLINUX_INOTIFY_H
#define CLINUX_INOTIFY_H

/// A non-blocking, close-on-exec inotify descriptor, or -errno.
/// Here, as the next, because Swift's Glibc module leaves out <sys/inotify.h>.
int clinux_inotify(void);

/// Watches what comes into a folder, leaves it, or changes its owner, group or mode. Returns 0 or an errno.
int clinux_inotify_watch(int descriptor, const char *folder);

#endif
