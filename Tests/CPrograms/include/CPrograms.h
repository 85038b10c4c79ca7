// SPDX-License-Identifier: MIT
#ifndef CPROGRAMS_H
#define CPROGRAMS_H

#include <sys/types.h>

/// Starts a program with `standard` as its input, output and errors, no other descriptor, no signal blocked or ignored, and in a process
/// group of its own. `arguments` (the program's name first) and `environment` end with NULL. Returns the process, or a negated errno.
pid_t cprograms_start(const char *path, char *const arguments[], char *const environment[], const int standard[3]);

#endif
