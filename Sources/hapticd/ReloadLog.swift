// SPDX-License-Identifier: MIT
internal import HapticText
internal import HapticWire
internal import Logging

/// Logs what comes of reloads, whoever asks for them. A reload that changes nothing, or fails as the last one did, is logged once in a row:
/// any client may ask, and as often as its rate allows. A change is always logged.
final class ReloadLog {
    private let logger: Logger
    private var last: Result<ReloadResult, WireError>?
    private var notes = PatternNotes()

    init(_ logger: Logger) { self.logger = logger }

    /// Of a configuration that is taken up, at the start as well.
    func note(_ notes: [Diagnostic]) {
        for line in self.notes.lines(notes) { logger.notice("\(line)") }
    }

    func log(_ outcome: Result<ReloadResult, WireError>) {
        let hasChanged = (try? outcome.get())?.changed.isEmpty == false
        guard hasChanged || outcome != last else { return }
        last = outcome
        switch outcome {
        case .success(let result):
            let said =
                result.changed.isEmpty ? "the configuration is as it was" : "the configuration has changed: \(result.words)"
            logger.notice("\(said)\(result.isBuiltIn ? "; there is no file, so it is the built-in one" : "")")
            for part in result.needsRestart { logger.warning("`\(part)` has changed too, which only a restart takes up") }
        case .failure(let failure):
            logger.error("\(failure.message)")
            for line in failure.data?.diagnostics ?? [] { logger.error("\(line)") }
        }
    }
}

/// What the pattern files in force hold that their patterns do not, such as sounds. It is said once, until it changes.
struct PatternNotes {
    static let most = 50

    private var last: [Diagnostic] = []

    /// Lines for the log.
    mutating func lines(_ notes: [Diagnostic]) -> [String] {
        guard notes != last else { return [] }
        last = notes
        let rest = notes.dropFirst(Self.most).reduce(0) { $0 + $1.count }
        let lines = notes.prefix(Self.most).map(\.description)
        return rest == 0
            ? lines : lines + ["\(rest) more of pattern files; `hapticctl check-config` shows what they hold beside patterns"]
    }
}
