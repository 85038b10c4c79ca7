// SPDX-License-Identifier: MIT
#ifndef CFORMERGUARD_H
#define CFORMERGUARD_H

#include <stdbool.h>
#include <sys/types.h>

/// Starts a process of the caller's program that has the lock of a guard until it is killed: on the whole file, as before daemons had
/// locks of their own. `is_orphan`: its parent has gone, as after a daemon's death; otherwise the caller is the parent, and has to reap
/// it. `obeys`: it ends by SIGTERM.
/// Returns its number once it has the lock; or -1.
pid_t cformerguard_start(const char *path, bool is_orphan, bool obeys);

#endif
