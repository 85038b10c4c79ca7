// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinuxProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 4, FIRST_PASSED = 3 };

extern char **environ;

pid_t clinux_spawn_session(const char *path, char *const arguments[], const int descriptors[], int count) {
    if (count < 0 || count > MOST_DESCRIPTORS) return -EINVAL;
    // Copies out of the way, so that none is overwritten before it has been passed on.
    int copies[MOST_DESCRIPTORS];
    int made = 0, error = 0;
    for (; made < count && error == 0; made += 1) {
        copies[made] = fcntl(descriptors[made], F_DUPFD_CLOEXEC, FIRST_PASSED + MOST_DESCRIPTORS);
        if (copies[made] < 0) error = errno;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    for (int standard = 0; standard < FIRST_PASSED && error == 0; standard += 1)
        error = posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
    for (int index = 0; index < made && error == 0; index += 1)
        error = posix_spawn_file_actions_adddup2(&actions, copies[index], FIRST_PASSED + index);
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, FIRST_PASSED + count);
    pid_t process = 0;
    if (error == 0) error = posix_spawn(&process, path, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    for (int index = 0; index < made; index += 1)
        if (copies[index] >= 0) close(copies[index]);
    return error == 0 ? process : -error;
}

pid_t clinux_spawn_beside(char *const arguments[], const void *mask, int ignores_pipe) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    // What is ignored stays so in the new program; there is no attribute for it.
    void (*former)(int) = signal(SIGPIPE, ignores_pipe ? SIG_IGN : SIG_DFL);
    pid_t process = 0;
    int error = posix_spawnp(&process, arguments[0], NULL, &attributes, arguments, environ);
    signal(SIGPIPE, former);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? process : -error;
}

int clinux_signal_descriptor(const void *mask) {
    int descriptor = signalfd(-1, mask, SFD_CLOEXEC);
    return descriptor >= 0 ? descriptor : -errno;
}

int clinux_message_pair(int sockets[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0 ? 0 : errno;
}

union control {
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
    struct cmsghdr alignment;
};

int clinux_send_message(int socket, const void *message, size_t size, const int descriptors[], int count) {
    struct iovec part = {(void *)message, size};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    union control control;
    if (count < 0 || count > MOST_DESCRIPTORS) return EINVAL;
    if (count > 0) {
        memset(&control, 0, sizeof control);
        header.msg_control = control.bytes;
        header.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(rights), descriptors, count * sizeof(int));
    }
    ssize_t sent;
    do sent = sendmsg(socket, &header, MSG_DONTWAIT | MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent >= 0 ? 0 : errno;
}

ssize_t clinux_receive_message(int socket, void *message, size_t size, int descriptors[4], int *count) {
    struct iovec part = {message, size};
    union control control;
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t length;
    do length = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    while (length < 0 && errno == EINTR);
    *count = 0;
    if (length < 0) return -errno;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        *count = (int)((part->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(descriptors, CMSG_DATA(part), *count * sizeof(int));
    }
    return length;
}

// Signals are let in by `clinux_wait` only, so none comes between reading this and clearing it.
static volatile sig_atomic_t caught;

static int parents_end;
static pid_t parent;

static void note(int signal, siginfo_t *information, void *context) {
    // The kernel sends it in the name of the parent: from anybody else it tells nothing.
    if (signal == parents_end && (information->si_code != SI_USER || information->si_pid != parent)) return;
    caught = signal;
}

void clinux_signal_at_parents_end(int signal) {
    parent = getppid();
    parents_end = signal;
    clinux_catch(signal);
    prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}

void clinux_catch(int signal) {
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
    // One at a time: the other one of two that are there at once ends the next wait.
    sigfillset(&action.sa_mask);
    sigaction(signal, &action, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int clinux_wait(int descriptor, int64_t deadline_ns) {
    struct timespec now, left = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left_ns = deadline_ns - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    if (deadline_ns != INT64_MAX && left_ns > 0) left = (struct timespec){left_ns / 1000000000, left_ns % 1000000000};
    struct pollfd poller = {.fd = descriptor, .events = POLLIN};
    sigset_t none;
    sigemptyset(&none);
    caught = 0;
    int count = ppoll(&poller, 1, deadline_ns == INT64_MAX ? NULL : &left, &none);
    if (caught != 0) return -caught;
    return count > 0 ? 0 : ETIMEDOUT;
}

size_t clinux_ioctl_size(uint32_t request) { return _IOC_SIZE(request); }

int clinux_ioctl(int descriptor, uint32_t request, const void *argument, size_t size) {
    char copy[CLINUX_MOST_ARGUMENT] __attribute__((aligned(8)));
    if (size > sizeof copy || size != _IOC_SIZE(request)) return EINVAL;
    memcpy(copy, argument, size);
    return ioctl(descriptor, request, copy) >= 0 ? 0 : errno;
}
