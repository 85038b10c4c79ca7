// SPDX-License-Identifier: MIT
import HapticClient
import HapticJSON
import HapticWire

/// What `hapticctl` ends with.
enum ExitStatus {
    static let done: Int32 = 0
    /// The daemon refused, or the thing failed.
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    /// None is there, or it has gone.
    static let noDaemon: Int32 = 3

    /// As a shell reports it of a program that a signal ended: 130 for Ctrl-C.
    static func interrupted(by signal: Int32) -> Int32 { 128 + signal }
}

/// Why a command ends with a status other than 0.
struct Failure: Error, Hashable, Sendable {
    var status: Int32
    /// For standard error; none where all has been said. Each stays one, whatever is in it.
    var lines: [String]

    init(_ message: String, status: Int32 = ExitStatus.failed) { self.init(lines: [message], status: status) }

    init(lines: [String], status: Int32 = ExitStatus.failed) {
        self.lines = lines
        self.status = status
    }

    init(_ error: ClientError) {
        switch error {
        case .noDaemon, .closed: self.init(error.description, status: ExitStatus.noDaemon)
        case .refused(let refusal): self.init(lines: [refusal.message] + (refusal.data?.diagnostics ?? []))
        default: self.init(error.description)
        }
    }

    /// A document's errors, each with the line of its file that it is in. `texts`: see `Excerpt`.
    init(_ error: InvalidDocument, texts: [String: [UInt8]] = [:]) {
        self.init(lines: Excerpt.lines(for: error.diagnostics, texts: texts))
    }
}
