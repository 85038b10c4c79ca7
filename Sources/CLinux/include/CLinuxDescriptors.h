// SPDX-License-Identifier: MIT
#ifndef CLINUX_DESCRIPTORS_H
#define CLINUX_DESCRIPTORS_H

/// Occupies standard input, output and error where the parent has closed them, so that no file or socket that is opened later gets
/// their number and what is printed. The first thing that a program does.
/// Each becomes /dev/null opened the wrong way round: to use it is EBADF still, as if it were closed.
/// Here because `open` and `fcntl` are variadic, and for its being one for all programs.
void clinux_occupy_standard_descriptors(void);

/// Opens what `path` names, only to be looked at or changed as a file, close-on-exec: a socket too, and a symbolic link is not followed. A descriptor, or -errno.
/// Here because O_PATH needs _GNU_SOURCE.
int clinux_open_node(const char *path);

#endif
