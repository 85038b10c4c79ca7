// SPDX-License-Identifier: MIT
#ifndef CLINUX_DESCRIPTORS_H
#define CLINUX_DESCRIPTORS_H

#include <stddef.h>
#include <sys/types.h>

/// Occupies standard input, output and error where the parent has closed them. Else a file or socket that is opened later would
/// get their number, and what is printed. To be called first in a program.
/// Each becomes /dev/null, opened the wrong way round: using it is still EBADF, as if it were closed.
/// Here because `open` and `fcntl` are variadic.
void clinux_occupy_standard_descriptors(void);

/// Opens the file that `path` names, of any kind, to look at it or to change its owner or mode. Close-on-exec. A symbolic link is
/// not followed. Returns a descriptor, or -errno.
/// Here because O_PATH needs _GNU_SOURCE.
int clinux_open_node(const char *path);

/// Puts the access list (ACL) of the file at `path` into `bytes`, as the kernel gives it. Returns its length, 0 where it has none, or
/// -errno. A symbolic link is followed.
/// Here because Swift's Glibc module leaves out <sys/xattr.h>.
ssize_t clinux_access_list(const char *path, void *bytes, size_t size);

#endif
