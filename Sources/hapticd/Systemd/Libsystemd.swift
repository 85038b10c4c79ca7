// SPDX-License-Identifier: MIT
internal import Glibc

/// The four functions of libsystemd that the daemon calls; what they take and return is in their man pages, and stays so for as
/// long as the library's name. Loaded by the first who needs them, and then for good: with all that comes with it the library is
/// a megabyte of memory, which neither the guard needs nor a daemon that was started by hand (ADR 14).
struct Libsystemd: Sendable {
    /// sd_listen_fds(3): whether to take the variables out of the environment.
    let listenFds: @Sendable @convention(c) (CInt) -> CInt
    /// sd_watchdog_enabled(3): the same, and where to put the period, in µs.
    let watchdogEnabled: @Sendable @convention(c) (CInt, UnsafeMutablePointer<UInt64>?) -> CInt
    /// sd_notify(3): the same, and the state.
    let notify: @Sendable @convention(c) (CInt, UnsafePointer<CChar>) -> CInt
    /// sd_journal_sendv(3).
    let journalSendv: @Sendable @convention(c) (UnsafePointer<iovec>, CInt) -> CInt

    /// Any thread; the first one loads it, which takes some milliseconds.
    static let loaded = Result { () throws(LoadError) in try Libsystemd() }

    private init() throws(LoadError) {
        guard let library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL) else { throw .last }
        listenFds = try Self.function("sd_listen_fds", of: library)
        watchdogEnabled = try Self.function("sd_watchdog_enabled", of: library)
        notify = try Self.function("sd_notify", of: library)
        journalSendv = try Self.function("sd_journal_sendv", of: library)
    }

    /// `Function`: the type of a C function that has this signature in <systemd/sd-daemon.h> or <systemd/sd-journal.h>; nothing
    /// checks that.
    private static func function<Function>(_ name: String, of library: UnsafeMutableRawPointer) throws(LoadError) -> Function {
        guard let function = dlsym(library, name) else { throw .last }
        return unsafeBitCast(function, to: Function.self)
    }

    /// Why it is not to be had, in the loader's words, which name the file.
    struct LoadError: Error, CustomStringConvertible {
        var description: String

        /// Of the call just before, on this thread.
        fileprivate static var last: LoadError {
            LoadError(description: dlerror().map { String(cString: $0) } ?? "libsystemd cannot be loaded")
        }
    }
}
