// SPDX-License-Identifier: MIT
// libsystemd's parts for a daemon: Swift calls what is not variadic as it is.
#ifndef CSYSTEMD_SHIM_H
#define CSYSTEMD_SHIM_H

#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

#endif
