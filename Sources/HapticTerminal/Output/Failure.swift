// SPDX-License-Identifier: MIT
package import HapticClient
import HapticCore
package import HapticText
package import HapticWire

/// What `hapticctl` ends with.
package enum ExitStatus {
    package static let done: Int32 = 0
    /// The daemon refused, or the thing failed.
    static let failed: Int32 = 1
    package static let usage: Int32 = 2
    /// None is there, it has gone, or it does not answer.
    package static let noDaemon: Int32 = 3

    /// As a shell reports it of a program that a signal ended: 130 for Ctrl-C.
    package static func interrupted(by signal: Int32) -> Int32 { 128 + signal }
}

/// The command that `hapticctl` ran has ended with this, and so does hapticctl: there is nothing to say.
package struct CommandEnded: Error, Hashable, Sendable {
    package var status: Int32

    package init(status: Int32) { self.status = status }
}

/// Why a command ends with a status other than 0.
package struct Failure: Error, Hashable, Sendable {
    /// By which a program knows the error, whatever its message says. Words are added, and never change.
    package enum Code: String, CaseIterable, Sendable {
        /// The command line is wrong.
        case usage
        /// None is there, or it has gone.
        case noDaemon
        /// The daemon's socket may not be opened.
        case noPermission
        /// The daemon did not answer in time.
        case noAnswer
        /// The daemon said something that no daemon says.
        case notUnderstood
        /// The daemon, or with `--simulate` its engine, refused: its number and `data` say more.
        case refused
        /// An input was decided, and is not felt.
        case notFelt
        /// A playback was not played to its end.
        case cutShort
        /// A hold was let go before it was confirmed.
        case notConfirmed
        /// The daemon did not get a value before the end.
        case notDelivered
        /// There is no pattern, actuator or condition of that name.
        case unknownName
        /// None is there that could be used.
        case noActuator
        /// A configuration or a pattern file has errors.
        case invalidFile
        /// Patterns without errors that could feel better.
        case findings
        /// The answers of `tune` do not say how the motor moves.
        case doubtful
        /// A file or standard input.
        case unreadable
        /// A file or standard output.
        case unwritable
        /// By a signal, such as that of Ctrl-C.
        case cancelled
        case failed

        init(status: Int32) {
            self =
                switch status {
                case ExitStatus.usage: .usage
                case ExitStatus.noDaemon: .noDaemon
                case 128...: .cancelled
                default: .failed
                }
        }
    }

    package var status: Int32
    package var code: Code
    /// For people, on standard error; none where all has been said. Each stays one, whatever is in it.
    package var lines: [String]
    /// The same for programs: what happened and what to do, and whatever belongs to it.
    package var message: String
    package var details: [String]
    /// What the daemon said.
    var refusal: WireError?

    /// `code`: where it is nil the status says it.
    package init(_ message: String, status: Int32 = ExitStatus.failed, code: Code? = nil) {
        self.init(lines: [message], status: status, code: code)
    }

    package init(lines: [String], status: Int32 = ExitStatus.failed, code: Code? = nil) {
        self.status = status
        self.code = code ?? Code(status: status)
        self.lines = lines
        message = lines.first ?? ""
        details = Array(lines.dropFirst())
    }

    package init(_ error: ClientError) {
        switch error {
        case .noDaemon(let tried): self.init(NoDaemon(tried: tried).message, status: ExitStatus.noDaemon)
        case .pathTooLong: self.init(error.description, status: ExitStatus.usage)
        case .closed: self.init(error.description, status: ExitStatus.noDaemon)
        case .refused(let refusal): self.init(refusal)
        // The kernel checks the permissions of a file before its kind.
        case .noPermission(let path) where NoDaemon(tried: [path]).isOtherFile: self.init(ClientError.noDaemon(tried: [path]))
        case .noPermission: self.init(error.description, code: .noPermission)
        case .timedOut: self.init(error.description, status: ExitStatus.noDaemon, code: .noAnswer)
        case .notUnderstood: self.init(error.description, code: .notUnderstood)
        default: self.init(error.description)
        }
    }

    package init(_ refusal: WireError) {
        self.init(
            lines: [Self.typed(refusal.message)] + (refusal.data?.diagnostics ?? []),
            code: Self.isUnknownName(refusal) ? .unknownName : .refused)
        self.refusal = refusal
    }

    /// The message for people who type: pulses are not an object of JSON here.
    private static func typed(_ message: String) -> String {
        message.without(end: PulsesHint.pattern).map { "\($0)pulses and pauses in milliseconds are written as `100,50,100`" }
            ?? message
    }

    /// Whether the file itself could not be read, so that nothing is known of its contents.
    private static func isUnreadable(_ diagnostic: Diagnostic) -> Bool {
        diagnostic.mark == nil
            && ["cannot be read: ", "cannot read the configuration: "].contains { diagnostic.message.utf8.starts(with: $0.utf8) }
    }

    /// Whether no pattern, actuator or condition has the name that a member gives.
    private static func isUnknownName(_ refusal: WireError) -> Bool {
        guard let path = refusal.data?.path, refusal.code == ErrorCode.invalidParams.rawValue else { return false }
        return ["pattern", "actuator", "condition"].contains {
            refusal.message.utf8.starts(with: "`\(path)`: unknown \($0) ".utf8)
        }
    }

    /// A document's errors, each with the line of its file that it is in. `texts`: see `Excerpt`.
    package init(_ error: InvalidDocument, texts: [String: [UInt8]] = [:]) {
        let notes = error.notes.map { "note: \($0)" }
        self.init(lines: notes + Excerpt.lines(for: error.diagnostics, texts: texts), code: .invalidFile)
        if error.diagnostics.count == 1, let only = error.diagnostics.first, Self.isUnreadable(only) {
            (code, message, details) = (.unreadable, only.description, [])
            return
        }
        let place = error.diagnostics.first?.file ?? "the file"
        message = "\(place) has \(Words.count(error.count, "error")); fix what is listed, then try again"
        details = error.diagnostics.map(\.description) + notes
    }
}
