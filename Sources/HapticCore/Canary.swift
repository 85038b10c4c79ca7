// SPDX-License-Identifier: MIT
#if HAPTICD_CANARIES
    private import Glibc
#endif

/// A deliberate fault, to see that a test notices it (`make canaries`, Tests/canaries). Only a build with `-D HAPTICD_CANARIES` has any; there
/// the environment variable `HAPTICD_CANARY` picks one.
public enum Canary {
    #if HAPTICD_CANARIES
        /// Read once, and compared without an allocation, because the executor's thread asks, too.
        nonisolated(unsafe) private static let chosen = getenv("HAPTICD_CANARY").flatMap { strdup($0) }

        /// Whether this fault is in force.
        public static func `is`(_ name: StaticString) -> Bool {
            guard let chosen, strlen(chosen) == name.utf8CodeUnitCount else { return false }
            return memcmp(chosen, name.utf8Start, name.utf8CodeUnitCount) == 0
        }
    #else
        /// Whether this fault is in force: never in this build.
        @inlinable @inline(__always) public static func `is`(_ name: StaticString) -> Bool { false }
    #endif
}
