# SPDX-License-Identifier: MIT
"""People beside the daemon, and what they can open."""
import errno
import fcntl
import os
import pwd
import struct

import service
from harness import check


def entries(node):
    """The named entries of a node's access list, as `group:hapticd:rw-`."""
    lines = service.run("getfacl", "--omit-header", "--absolute-names", node).stdout.splitlines()
    return [line.split("\t")[0] for line in lines if line.startswith(("user:", "group:")) and line.split(":")[1]]


def as_person(name, action):
    """What an action comes to in a process of that user with the user's groups: None where it went well, else the name of the error."""
    person = pwd.getpwnam(name)
    groups = os.getgrouplist(name, person.pw_gid)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        said = "no answer"
        try:
            os.setgroups(groups)
            os.setgid(person.pw_gid)
            os.setuid(person.pw_uid)
            action()
            said = ""
        except OSError as error:
            said = errno.errorcode[error.errno]
        except BaseException as error:    # the test's own process goes on elsewhere
            said = repr(error)
        finally:
            os.write(writer, said.encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said or None


def opens(name, path, flags=os.O_RDWR):
    """None where that user can open the file, else the name of the error."""
    return as_person(name, lambda: os.close(os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)))


def make_member(name, group):
    """Makes a user of a group that other packages have."""
    service.make_person(name)
    service.run("groupadd", "--force", "--system", group)
    service.run("usermod", "--append", "--groups", group, name)
    check(group in service.run("id", "--name", "--groups", name).stdout.split(), f"{name} is not in {group}")


class Keyboard:
    """An input device with one key and without force feedback."""

    def __init__(self, name):
        self._device = os.open("/dev/uinput", os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self._device, 0x40045564, 1)     # UI_SET_EVBIT, EV_KEY
        fcntl.ioctl(self._device, 0x40045565, 30)    # UI_SET_KEYBIT, KEY_A
        fcntl.ioctl(self._device, 0x405C5503, struct.pack("HHHH80sI", 3, 1, 1, 1, name.encode(), 0))    # UI_DEV_SETUP
        fcntl.ioctl(self._device, 0x5501)            # UI_DEV_CREATE
        folder = bytearray(64)
        fcntl.ioctl(self._device, 0x8040552C, folder, True)    # UI_GET_SYSNAME
        names = os.listdir("/sys/class/input/" + folder.split(b"\0")[0].decode())
        self.node = "/dev/input/" + next(name for name in names if name.startswith("event"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._device)
