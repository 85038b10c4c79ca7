// SPDX-License-Identifier: MIT
#ifndef CPROGRAMS_H
#define CPROGRAMS_H

#include <sys/types.h>

/// Starts a program with `standard` as its input, output and errors, no other descriptor, no signal blocked or ignored, and in a process
/// group of its own. `arguments` (the program's name first) and `environment` end with NULL. Returns the process, or a negated errno.
pid_t cprograms_start(const char *path, char *const arguments[], char *const environment[], const int standard[3]);

/// Runs a program until it stops itself (SIGSTOP), and from there on one call of the system after the other. It is killed (SIGKILL)
/// right before call number `last`, from 1, which is never made: 1. Where it ends by itself before that, with status 0: 0. Else a
/// negated errno: ECHILD where it ended in another way, EPERM where nobody may be traced here.
/// `calls` gets a letter for each call that was made, `room` bytes with the NUL at most: o for opening, w for writing, f for bringing to
/// the disk, r for renaming, u for removing, a dot for any other.
int cprograms_run_to_call(const char *path, char *const arguments[], int last, char *calls, int room);

/// From now on, and for good, each such call of this process (by its letter, as above) fails with `error`; o stands for making a new file
/// only, w not for the standard descriptors. Returns 0 or an errno.
int cprograms_refuse(char call, int error);

#endif
