// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CPrograms.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/ptrace.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// <sys/ptrace.h> and <linux/ptrace.h> both have struct ptrace_syscall_info.
extern long ptrace(int request, ...);

// arm64 has only those that name a folder.
struct kind {
    char letter;
    long numbers[4];
};

static const struct kind kinds[] = {
    {'o', {SYS_openat, -1, -1, -1}},
    {'w', {SYS_write, -1, -1, -1}},
    {'f', {SYS_fsync, SYS_fdatasync, -1, -1}},
#ifdef SYS_rename
    {'r', {SYS_renameat, SYS_renameat2, SYS_rename, -1}},
    {'u', {SYS_unlinkat, SYS_unlink, SYS_rmdir, -1}},
#else
    {'r', {SYS_renameat, SYS_renameat2, -1, -1}},
    {'u', {SYS_unlinkat, -1, -1, -1}},
#endif
};
enum { kind_count = sizeof kinds / sizeof kinds[0] };

static char letter(long number) {
    for (int kind = 0; kind < kind_count; kind += 1)
        for (int index = 0; index < 4; index += 1)
            if (kinds[kind].numbers[index] == number) return kinds[kind].letter;
    return '.';
}

// Lets the program go on as `request` says, with `delivered` as a signal, until it stops again.
static int next_stop(pid_t process, int request, int delivered) {
    int status = 0;
    if (ptrace(request, process, 0L, (long)delivered) != 0) return -1;
    while (waitpid(process, &status, __WALL) < 0)
        if (errno != EINTR) return -1;
    return status;
}

static int end(pid_t process, int result) {
    kill(process, SIGKILL);
    while (waitpid(process, NULL, __WALL) < 0 && errno == EINTR) {
    }
    return result;
}

int cprograms_run_to_call(const char *path, char *const arguments[], int last, char *calls, int room) {
    pid_t process = fork();
    if (process < 0) return -errno;
    if (process == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        if (ptrace(PTRACE_TRACEME, 0, 0L, 0L) != 0) _exit(126);
        execv(path, arguments);
        _exit(127);
    }
    int status = 0;
    while (waitpid(process, &status, __WALL) < 0)
        if (errno != EINTR) return -errno;
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 126 ? -EPERM : -ENOENT;
    ptrace(PTRACE_SETOPTIONS, process, 0L, (long)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
    // The first stop is that of `execv`.
    int signal = 0;
    do {
        status = next_stop(process, PTRACE_CONT, signal);
        if (status < 0) return end(process, -EPERM);
        if (WIFEXITED(status) || WIFSIGNALED(status)) return -ECHILD;
        signal = WSTOPSIG(status);
    } while (signal != SIGSTOP);
    signal = 0;
    int count = 0;
    while (true) {
        status = next_stop(process, PTRACE_SYSCALL, signal);
        if (status < 0) return end(process, -EPERM);
        if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? 0 : -ECHILD;
        if (WIFSIGNALED(status)) return -ECHILD;
        signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
        if (signal != 0) continue;
        struct ptrace_syscall_info info = {0};
        if (ptrace(PTRACE_GET_SYSCALL_INFO, process, (long)sizeof info, &info) < 0) return end(process, -errno);
        if (info.op != PTRACE_SYSCALL_INFO_ENTRY) continue;
        count += 1;
        if (count == last) return end(process, 1);
        if (count < room) {
            calls[count - 1] = letter((long)info.entry.nr);
            calls[count] = 0;
        }
    }
}

int cprograms_refuse(char call, int error) {
    long numbers[4] = {-1, -1, -1, -1};
    for (int kind = 0; kind < kind_count; kind += 1)
        if (kinds[kind].letter == call)
            for (int index = 0; index < 4; index += 1) numbers[index] = kinds[kind].numbers[index];
    // Of which argument which bits or, of a descriptor, that it is none of the first three.
    int argument = call == 'o' ? 2 : 0;
    struct sock_filter second = call == 'o' ? (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT, 0, 1)
                                            : (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 2, 0, 1);
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[0], 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[1], 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[2], 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[3], 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * argument),
        second,
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}
