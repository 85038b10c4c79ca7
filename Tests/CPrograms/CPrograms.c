// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CPrograms.h"

#include <signal.h>
#include <spawn.h>

pid_t cprograms_start(const char *path, char *const arguments[], char *const environment[], const int standard[3]) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    int error = 0;
    for (int index = 0; index < 3 && error == 0; index += 1)
        error = posix_spawn_file_actions_adddup2(&actions, standard[index], index);
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    pid_t process = 0;
    if (error == 0) error = posix_spawn(&process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? process : -error;
}
