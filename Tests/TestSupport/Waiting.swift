// SPDX-License-Identifier: MIT
import Glibc

/// The error of a wait for another thread that took too long.
public struct WaitedInVain: Error, CustomStringConvertible {
    public let what: String
    public var description: String { "waited in vain for \(what)" }
}

/// Checks every 0.1 ms whether another thread has fulfilled `condition`. Throws after a minute, which only a failure takes.
public func wait(for what: String, until condition: () throws -> Bool) throws {
    guard try wait(until: condition) else { throw WaitedInVain(what: what) }
}

/// Checks every 0.1 ms whether another thread has fulfilled `condition`. Returns false after a minute.
public func wait(until condition: () throws -> Bool) rethrows -> Bool {
    let began = seconds()
    while try !condition() {
        guard seconds() - began < 60 else { return false }
        usleep(100)
    }
    return true
}

private func seconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec
}
