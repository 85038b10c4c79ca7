# SPDX-License-Identifier: MIT
"""Tries from inside the unit what its daemon could do if it were taken over; a drop-in has systemd start it as the unit's own
(ExecStartPre=), so that everything holds for it that holds for the daemon. Prints one JSON object.

usage: probe.py JSON    {"write": [file …], "open": [device …]}: files to open for writing, or to make; devices to open for reading and writing
Each answer is null where it went well, else the name of the error.
"""
import errno
import json
import mmap
import os
import resource
import socket
import sys


def tried(action):
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno]
    return None


def write(path):
    existed = os.path.exists(path)
    os.close(os.open(path, os.O_WRONLY | (0 if existed else os.O_CREAT | os.O_EXCL), 0o600))


def open_device(path):
    os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY))


def privileges():
    with open("/proc/self/status", encoding="ascii") as status:
        lines = dict(line.rstrip().split(":\t", 1) for line in status if ":\t" in line)
    return {name: lines[name].strip() for name in ("Uid", "CapEff", "CapPrm", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")}


wanted = json.loads(sys.argv[1])
found = {
    "write": {path: tried(lambda path=path: write(path)) for path in wanted["write"]},
    "open": {path: tried(lambda path=path: open_device(path)) for path in wanted["open"]},
    "socket": {name: tried(lambda name=name: socket.socket(getattr(socket, name), socket.SOCK_DGRAM).close())
               for name in ("AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK")},
    "memory that is written and executed": tried(
        lambda: mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()),
    "SCHED_FIFO 40": tried(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(40))),
    "locked memory without limit": resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] == resource.RLIM_INFINITY,
    "home": tried(lambda: os.listdir("/root")),
    "privileges": privileges(),
}
print("probe: " + json.dumps(found), flush=True)
