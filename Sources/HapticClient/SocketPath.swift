// SPDX-License-Identifier: MIT

/// Where the daemon's socket is looked for.
public enum SocketPath {
    /// Bytes of a path that fit into a socket address, beside its final zero.
    public static let limit = 107

    // by characters: the environment is the user's own.
    /// The paths to try in order: `explicit`, or `$HAPTICD_SOCKET`, or else the system's and the user's.
    public static func candidates(explicit: String?, environment: [String: String]) -> [String] {
        if let path = explicit ?? environment["HAPTICD_SOCKET"], !path.isEmpty { return [path] }
        let user = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : "\($0)/hapticd/hapticd.sock" }
        return ["/run/hapticd/hapticd.sock"] + (user.map { [$0] } ?? [])
    }
}
