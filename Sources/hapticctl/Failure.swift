// SPDX-License-Identifier: MIT
import HapticClient
import HapticFormats
import HapticWire

/// What `hapticctl` ends with.
enum ExitStatus {
    static let done: Int32 = 0
    /// The daemon refused, or the thing failed.
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    /// None is there, or it has gone.
    static let noDaemon: Int32 = 3

    /// As a shell tells it of a program that a signal ended: 130 for Ctrl-C.
    static func interrupted(by signal: Int32) -> Int32 { 128 + signal }
}

/// Why a command ends with a status other than 0.
struct Failure: Error, Hashable, Sendable {
    var status: Int32
    /// For standard error; empty where all has been said.
    var message: String

    init(_ message: String, status: Int32 = ExitStatus.failed) {
        self.message = message
        self.status = status
    }

    init(_ error: ClientError) {
        switch error {
        case .noDaemon, .closed: self.init(error.description, status: ExitStatus.noDaemon)
        case .refused(let refusal): self.init(Self.words(of: refusal))
        default: self.init(error.description)
        }
    }

    /// A document's errors, one a line.
    init(_ error: InvalidDocument) { self.init(error.description) }

    private static func words(of error: WireError) -> String {
        ([error.message] + (error.data?.diagnostics ?? [])).joined(separator: "\n")
    }
}
