// SPDX-License-Identifier: MIT
private import Glibc

/// How many files and sockets this process may have open.
enum DescriptorLimit {
    /// What the daemon needs beside its clients, those among it that it has refused and that are to read why.
    static let reserved = 64

    /// Raises it as far as the system allows, and returns it.
    static func raise() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return reserved }
        limit.rlim_cur = limit.rlim_max
        // Refused: then the old one is still in force, and is what is returned.
        guard setrlimit(resource, &limit) == 0 || getrlimit(resource, &limit) == 0 else { return reserved }
        return Int(clamping: limit.rlim_cur)
    }
}
