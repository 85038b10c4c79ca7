// SPDX-License-Identifier: MIT

/// A command line that helps, ready to be typed.
struct Remedy: Hashable, Sendable {
    /// With what joins it to the rest.
    private var before: String
    private var asRoot: String

    /// Anybody may run it.
    static func user(_ line: String) -> Remedy { Remedy(before: line, asRoot: "") }
    /// Only root may.
    static func root(_ line: String) -> Remedy { Remedy(before: "", asRoot: line) }
    /// What `line` prints goes into `target`, which only root may run.
    static func root(_ line: String, into target: String) -> Remedy { Remedy(before: "\(line) | ", asRoot: target) }
    /// Only root may run it, and it is run only where `test` is true.
    static func root(_ line: String, after test: String) -> Remedy { Remedy(before: "\(test) && ", asRoot: line) }

    var needsRoot: Bool { !asRoot.isEmpty }

    /// As the user types it: root needs no `sudo`, and may have none.
    func line(isRoot: Bool) -> String { before + (needsRoot && !isRoot ? "sudo \(asRoot)" : asRoot) }
}

/// What one check says.
package struct Finding: Hashable, Sendable {
    enum State: String, Sendable {
        case ok
        /// It works, but somebody may want to know.
        case note
        case problem
    }

    var part: Part
    /// Nil: all is well.
    var kind: FindingKind?
    /// What was found, where: a clause without a full stop.
    var what: String
    /// More of it, such as the lines of a file.
    var details: [String] = []
    var remedies: [Remedy] = []

    var state: State { kind.map { $0.isNote ? .note : .problem } ?? .ok }

    static func ok(_ part: Part, _ what: String) -> Finding { Finding(part: part, what: what) }

    init(_ kind: FindingKind, _ what: String, details: [String] = [], remedies: [Remedy] = []) {
        self.init(part: kind.part, kind: kind, what: what, details: details, remedies: remedies)
    }

    private init(part: Part, kind: FindingKind? = nil, what: String, details: [String] = [], remedies: [Remedy] = []) {
        self.part = part
        self.kind = kind
        self.what = what
        self.details = details
        self.remedies = remedies
    }
}

/// What a doctor looks at, in the order in which it is shown.
enum Part: String, CaseIterable, Sendable {
    case socket = "Socket"
    case daemon = "Daemon"
    case service = "Service"
    case configuration = "Configuration"
    case actuators = "Actuators"
    case inputs = "Keys and buttons"
    case timing = "Real time"
    case machine = "Machine"
    case feedback = "Feedback"
}
