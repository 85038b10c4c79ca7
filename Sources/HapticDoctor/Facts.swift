// SPDX-License-Identifier: MIT
import HapticBackends
import HapticClient
import HapticCore
import HapticEngine
import HapticTerminal
import HapticWire

/// Everything that the checks judge by, gathered once. Plain values: a check opens, asks and reads nothing.
package struct Facts: Sendable {
    package var user = UserFacts()
    var sockets: [SocketFacts] = []
    /// `--socket`, or a variable that counts, names the one path.
    var naming = Naming.nothing
    /// The path that answered or came nearest, and what the daemon said.
    var daemon = DaemonFacts()
    var service = ServiceFacts()
    var configuration = ConfigurationFacts()
    var actuators: [ActuatorFacts] = []
    var inputs: [InputFacts] = []
    /// A file `70-hapticd.rules` that udev reads; nil: there is none.
    var rulesPath: String?
    var machine = MachineFacts()

    enum Naming: Hashable, Sendable {
        case nothing
        case option
        case variable(String)
        /// Set, but this is root.
        case ignoredVariable(String)
    }
}

/// Who runs the doctor.
package struct UserFacts: Hashable, Sendable {
    var id: UInt32 = 1000
    var name = ""
    /// Those of this process.
    var groups: Set<UInt32> = []
    /// Those that the next login gets.
    var groupsAtLogin: Set<UInt32> = []

    package var isRoot: Bool { id == 0 }
}

/// A file: who may do what with it.
struct FileFacts: Hashable, Sendable {
    var path: String
    var group: UInt32 = 0
    /// Nil: the group has no name.
    var groupName: String?
    /// Permission bits.
    var mode: UInt32 = 0o600
    var isSocket = false
}

/// A path where the daemon may listen, and how far a client comes there.
struct SocketFacts: Hashable, Sendable {
    var path: String
    /// Nil: there is no such file, or its folder may not be entered.
    var file: FileFacts?
    var outcome = Outcome.nobody

    enum Outcome: Hashable, Sendable {
        case connected
        /// There is none, or nobody listens.
        case nobody
        case refused
        case failed(String)
    }
}

struct DaemonFacts: Hashable, Sendable {
    var socket: String?
    var status: StatusResult?
    /// Why it did not answer; nil where it did, or could not be asked.
    var failure: Failure?
    /// Why it did not give its last decisions, though it answers; nil where it did.
    var historyFailure: Failure?
    /// Nil: not known.
    var process: Int32?
    /// Of `/proc/PID`; nil where this user may not look.
    var openFiles: Int?
    var mostOpenFiles: Int?
    var lockedMemory: Int?

    struct Failure: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            /// It said nothing.
            case silent
            /// It said something, and no hapticd says that.
            case strange
            /// It said no; `isAccess`: because the configuration keeps this to other users.
            case refused(isAccess: Bool)
        }

        var words: String
        var kind: Kind

        init(_ error: ClientError) {
            words = error.description
            kind =
                switch error {
                case .notUnderstood: .strange
                case .refused(let error): .refused(isAccess: error.code == ErrorCode.notAllowed.rawValue)
                default: .silent
                }
        }
    }
}

/// What systemd says of the two units.
struct ServiceFacts: Hashable, Sendable {
    /// Nil: there is no systemd to ask, or it did not answer.
    var units: [String: [String: String]]?
    /// systemd is there, and has said nothing in time.
    var isSilent = false
    /// The last error in the unit's log; nil where there is none, or this user may not read it.
    var lastError: String?

    static let names = ["hapticd.service", "hapticd.socket"]

    subscript(unit: String, property: String) -> String? { units?[unit]?[property] }
}

struct ConfigurationFacts: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The built-in configuration counts.
        case missing
        case unreadable(String)
        /// How many, and lines for people.
        case invalid(count: Int, lines: [String])
        /// The names of its actuators.
        case valid([String])
    }

    /// What the daemon says of the configuration that it runs with.
    enum Running: Hashable, Sendable {
        /// There is none to ask.
        case unknown
        /// It read this file.
        case thisFile
        case builtIn
        case otherFile(String)
    }

    var path = ConfigurationFile.standardPath
    var state = State.missing
    /// The purposes for which it reads keys, buttons and switches, where it is valid.
    var inputs: [InputPurpose] = []
    /// The patterns of a valid configuration's rules that its motors cannot convey.
    var weak: [WeakFeedback] = []
    var running = Running.unknown
    /// The path is what the daemon says, and nobody else: whoever runs a daemon may name any file.
    var isNamedByDaemon = false
}

extension ConfigurationFacts {
    /// Whether it is valid and has an actuator of such a name.
    func names(_ isMeant: (String) -> Bool) -> Bool {
        if case .valid(let names) = state { names.contains(where: isMeant) } else { false }
    }
}

struct ActuatorFacts: Hashable, Sendable {
    struct Holder: Hashable, Sendable {
        var process: Int32
        var name: String
    }

    var name: String
    /// As the daemon says it; nil: it was not asked.
    var answer: ActuatorResult?
    /// What this process sees of the device; nil where the configuration could not be read.
    var sighting: DeviceSighting?
    var files: [FileFacts] = []
    /// Programs that have one of the files open, as far as this user may see.
    var holders: [Holder] = []

    /// As the daemon says; without it, as this process sees.
    var isBusy: Bool {
        if let answer { return answer.fault == .busy }
        if case .busy? = sighting?.fault?.cause { return true }
        return false
    }
}

/// A key, button or switch that is read for a hold or a condition.
struct InputFacts: Hashable, Sendable {
    /// `nil`: the daemon names a purpose that this version does not know.
    var purpose: InputPurpose?
    var input: String
    var kind: StatusResult.Input.Kind
    /// Why it cannot be read; nil: it can, or nobody has said. Of a daemon that was not asked, as this process sees it.
    var error: String?
    var fault: ActuatorFault.Kind?
    var isDaemonsWord: Bool
    /// Whether the service's group may use its file: read that of a key, and write that of a chip with lines, too. Nil: nobody has looked,
    /// or there is no such group.
    var isGroupAllowed: Bool?
}

extension InputFacts {
    var name: String { purpose?.name ?? "an unknown purpose" }
    var isKey: Bool { kind == .key }

    /// As the daemon says it.
    init(_ answer: StatusResult.Input) {
        // A kind that this version does not know is taken for a key: a rule for just that device is right for any.
        self.init(
            purpose: answer.hold.map { .hold(Text($0)) } ?? answer.condition.map { .condition(Text($0)) }, input: answer.input,
            kind: answer.kind, error: answer.error, fault: answer.fault, isDaemonsWord: true)
    }
}

struct MachineFacts: Hashable, Sendable {
    /// Of CLOCK_MONOTONIC, in nanoseconds.
    var clockResolution: Int64 = 1
    /// In KiB; nil: not known.
    var totalMemory: Int?
    var availableMemory: Int?
}
