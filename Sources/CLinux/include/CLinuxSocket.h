// SPDX-License-Identifier: MIT
#ifndef CLINUX_SOCKET_H
#define CLINUX_SOCKET_H

#include <stdint.h>

struct clinux_peer {
    uint32_t user;
    uint32_t group;
    int32_t process;
};

/// Who connected to the other end of a Unix stream socket, as of `connect`. Returns 0 or an errno.
/// Here because `struct ucred` needs _GNU_SOURCE, which must not be defined in a header that Swift imports.
int clinux_peer_credentials(int socket, struct clinux_peer *peer);

#endif
