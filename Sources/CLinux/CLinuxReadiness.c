// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <sys/epoll.h>

int clinux_readiness(void) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    return set >= 0 ? set : -errno;
}

static int change(int set, int operation, int descriptor, uint64_t token) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.u64 = token};
    return epoll_ctl(set, operation, descriptor, &event) == 0 ? 0 : errno;
}

int clinux_readiness_add(int set, int descriptor, uint64_t token) { return change(set, EPOLL_CTL_ADD, descriptor, token); }

int clinux_readiness_again(int set, int descriptor, uint64_t token) { return change(set, EPOLL_CTL_MOD, descriptor, token); }

void clinux_readiness_remove(int set, int descriptor) { (void)change(set, EPOLL_CTL_DEL, descriptor, 0); }

int clinux_readiness_wait(int set, struct clinux_ready *ready, int most) {
    struct epoll_event events[16];
    int count = epoll_wait(set, events, most < 16 ? most : 16, -1);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int index = 0; index < count; index++) {
        ready[index].token = events[index].data.u64;
        ready[index].has_ended = (events[index].events & (EPOLLHUP | EPOLLERR)) != 0;
    }
    return count;
}
