// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CLinuxLock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The same on every architecture; older C libraries do not name them.
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

int clinux_lock_share(int descriptor, int32_t byte) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

bool clinux_lock_is_free(int descriptor, int32_t byte) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

int32_t clinux_lock_any(int descriptor, int32_t start, int32_t length) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return 0;
    return (int32_t)lock.l_start;
}

int clinux_process_open(pid_t process) {
    long descriptor = syscall(SYS_pidfd_open, process, 0);
    return descriptor >= 0 ? (int)descriptor : -errno;
}

int clinux_process_signal(int descriptor, int signal) {
    return syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0) == 0 ? 0 : errno;
}
