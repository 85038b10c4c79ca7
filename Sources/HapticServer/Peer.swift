// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticService

extension Peer {
    /// Layout of the kernel's `struct ucred`, whose definition Glibc hides behind _GNU_SOURCE.
    private struct Credentials {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// Groups that are read at once; few users are in more.
    private static let usualGroups = 32

    /// Of a connected Unix socket; nil where the kernel does not say. Does not block.
    init?(of descriptor: CInt) {
        var credentials = Credentials()
        var length = socklen_t(MemoryLayout<Credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        self.init(
            user: credentials.user, groups: [credentials.group] + Self.supplementaryGroups(descriptor),
            process: credentials.process > 0 ? credentials.process : nil)
    }

    /// None on a kernel before 4.13, which does not say them: then only the primary group counts.
    private static func supplementaryGroups(_ descriptor: CInt) -> [UInt32] {
        var groups = [UInt32](repeating: 0, count: usualGroups)
        // Where they are too many, the kernel says how much room they need.
        for _ in 1...2 {
            var length = socklen_t(groups.count * MemoryLayout<UInt32>.stride)
            if getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<UInt32>.stride))
            }
            guard errno == ERANGE else { return [] }
            groups = Array(repeating: 0, count: Int(length) / MemoryLayout<UInt32>.stride)
        }
        return []
    }
}
