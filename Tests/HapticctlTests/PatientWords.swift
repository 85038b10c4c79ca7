// SPDX-License-Identifier: MIT
import HapticBackends
import HapticClient
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
import HapticService
import HapticWire

@testable import hapticctl

/// What is wrong with a patient, in the words of the headings in `Snapshots/doctor.txt`.
extension Patient {
    struct UnknownWords: Error { let words: String }

    /// What stands behind the first word.
    private static func value(_ words: String) -> String { String(words.drop { $0 != " " }.dropFirst()) }

    static func apply(_ words: String, to facts: inout Facts) throws {
        let first = String(words.prefix { $0 != " " })
        let rest = value(words)
        switch first {
        case "user": try user(rest, &facts)
        case "socket": try socket(rest, &facts)
        case "variable": (facts.naming, facts.sockets) = (.variable(rest), [SocketFacts(path: rest)])
        case "ignored": facts.naming = .ignoredVariable(rest)
        case "daemon": try daemon(rest, &facts)
        case "history": facts.daemon.historyFailure = .init(try error(rest))
        case "units":
            let states = rest.split(separator: " ").map(String.init)
            facts.service.units = units(socket: states[0], daemon: states[1], file: states[2])
        case "hapticd.service", "hapticd.socket":
            let parts = rest.split(separator: "=").map(String.init)
            facts.service.units?[first]?[parts[0]] = parts[1]
        case "log": facts.service.lastError = rest
        case "systemd": facts.service.units = nil
        case "file": try file(rest, &facts)
        case "runs": facts.configuration.running = try running(rest)
        case "key", "button": try input(rest, isKey: first == "key", &facts)
        case "feedback": try feedback(rest, &facts)
        case "machine": try machine(rest, &facts)
        default: try actuator(first, rest, &facts)
        }
    }

    private static func user(_ words: String, _ facts: inout Facts) throws {
        switch words {
        case "root": facts.user = UserFacts(id: 0, name: "root")
        case "stranger": (facts.user.groups, facts.user.groupsAtLogin) = ([1000], [1000])
        case "new-member": facts.user.groups = [1000]
        default: throw UnknownWords(words: words)
        }
    }

    private static func error(_ words: String) throws -> ClientError {
        switch words {
        case "silent": .timedOut
        case "strange": .notUnderstood("hello")
        case "limited": .refused(WireError(.quota, "more than 2 requests a second; try again in 500 ms"))
        case "refused": .refused(WireError(.notAllowed, "the history is kept to group `staff`, root and hapticd's own user"))
        default: throw UnknownWords(words: words)
        }
    }

    private static func socket(_ words: String, _ facts: inout Facts) throws {
        let value = value(words)
        if facts.sockets[0].file == nil { facts.sockets[0].file = socketFile() }
        switch words.prefix(while: { $0 != " " }) {
        case "refused": facts.sockets[0].outcome = .refused
        case "group":
            facts.sockets[0].file?.group = 77
            facts.sockets[0].file?.groupName = value.isEmpty ? nil : value
        case "mode": facts.sockets[0].file?.mode = UInt32(value, radix: 8) ?? 0
        case "stale": break
        case "foreign": facts.sockets[0].file?.isSocket = false
        default: throw UnknownWords(words: words)
        }
    }

    private static func daemon(_ words: String, _ facts: inout Facts) throws {
        let value = value(words)
        switch words.prefix(while: { $0 != " " }) {
        case "none":
            (facts.sockets, facts.daemon, facts.actuators) = ([SocketFacts(path: Facts.systemSocket)], DaemonFacts(), [])
        case "at":
            (facts.naming, facts.sockets[0].path) = (.option, value)
            if facts.daemon.socket != nil { facts.daemon.socket = value }
        case "version": facts.daemon.status?.version = value
        case "files": facts.daemon.openFiles = Int(value)
        default: (facts.daemon.status, facts.daemon.failure, facts.actuators) = (nil, .init(try error(words)), [])
        }
    }

    private static func file(_ words: String, _ facts: inout Facts) throws {
        let value = value(words)
        switch words.prefix(while: { $0 != " " }) {
        case "at": facts.configuration.path = value
        case "has": facts.configuration.state = .valid(value.split(separator: " ").map(String.init))
        case "missing": facts.configuration.state = .missing
        case "unreadable": facts.configuration.state = .unreadable("permission denied")
        case "invalid": facts.configuration.state = .invalid(count: 1, lines: ["hapticd.yaml:2:1: unknown key"])
        case "named": facts.configuration.isNamedByDaemon = true
        case "weak":
            let board = """
                version: 1
                actuators: [{ name: main, backend: simulated, motor: pinephone, fit: off }]
                events: [{ match: "key.*", pattern: tick }, { match: "done", pattern: alarm }]

                """
            let weak = try Configuration.read(yaml: Array(board.utf8), file: "hapticd.yaml").engineConfiguration().weakFeedback
            facts.configuration.weak = weak.filter { $0.rule.hasPrefix("events") }
        case "rules": facts.rulesPath = nil
        default: throw UnknownWords(words: words)
        }
    }

    private static func running(_ words: String) throws -> ConfigurationFacts.Running {
        switch words {
        case "this": .thisFile
        case "built-in": .builtIn
        default: .otherFile(words)
        }
    }

    private static func fault(_ words: String) throws -> DriverFault.Cause? {
        switch words {
        case "ready": nil
        case "absent": .absent
        case "lost": .deviceLost
        case "held": .busy(holder: "`gpioset`")
        case "refused": .permission
        case "hanging": .hanging
        case "odd": .unusable(why: "it has no KEY_POWER", remedy: "x")
        case "ambiguous": .ambiguous([])
        default: throw UnknownWords(words: words)
        }
    }

    /// `main held`, `main sees absent`, `main holder 42 gpioset`, `main group video`.
    private static func actuator(_ name: String, _ words: String, _ facts: inout Facts) throws {
        let value = value(words)
        if !facts.actuators.contains(where: { $0.name == name }) { facts.actuators.append(ActuatorFacts(name: name)) }
        let index = facts.actuators.count - 1
        switch words.prefix(while: { $0 != " " }) {
        case "simulated": facts.actuators[index].answer = answer(name, backend: "simulated")
        case "assumed", "described":
            facts.actuators[index].answer?.motor = MotorResult(MotorLibrary.coin.model, isAssumed: words == "assumed")
        case "sees":
            facts.actuators[index].sighting = DeviceSighting(
                fault: try fault(value).map { DriverFault($0, device: "LED \(name)") })
        case "holder":
            let holder = value.split(separator: " ")
            facts.actuators[index].holders.append(.init(process: Int32(holder[0]) ?? 0, name: String(holder[1])))
        case "group":
            let path = "/sys/class/leds/\(name)/brightness"
            facts.actuators[index].files = [FileFacts(path: path, group: 44, groupName: value == "``" ? "" : value, mode: 0o664)]
        default: facts.actuators[index].answer = answer(name, try fault(words).map { DriverFault($0, device: "LED \(name)") })
        }
    }

    /// `key absent`; `key unasked refused`: the daemon has not reported it, and its group may not read it.
    private static func input(_ words: String, isKey: Bool, _ facts: inout Facts) throws {
        let words = words.split(separator: " ").map(String.init)
        let kind = words.contains("simulated") ? StatusResult.Input.Kind.simulated : isKey ? .key : .line
        let fault = kind == .simulated ? nil : try fault(words[0])
        var input = InputFacts(
            StatusResult.Input(
                hold: "power", input: "KEY_POWER of gpio-keys", kind: kind,
                fault.map { DriverFault($0, device: "KEY_POWER of gpio-keys").ofActuator }))
        input.isDaemonsWord = !words.contains("unasked")
        input.isGroupAllowed = words.contains("allowed") ? true : words.contains("forbidden") ? false : nil
        facts.inputs = [input]
        facts.configuration.holds = words.contains("unconfigured") ? [] : ["power"]
    }

    private static func feedback(_ words: String, _ facts: inout Facts) throws {
        let night = QuietHours(from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!)
        let settings: Settings =
            switch words {
            case "quiet": Settings(quietHours: [night])
            case "off": Settings(profile: .quiet, quietHours: [night], off: .until(.zero + .seconds(60)))
            default: Settings()
            }
        if words == "silenced-and-late" {
            facts.daemon.status = status(profile: "silent", missed: 3)
            return
        }
        facts.daemon.status?.settings = SettingsNow(
            SettingsInForce(settings), at: .zero, LocalTime(.mon, second: 0), isKept: true,
            trouble: words == "unkept" ? "the disk is full; make room" : nil)
    }

    private static func machine(_ words: String, _ facts: inout Facts) throws {
        typealias Realtime = StatusResult.Realtime
        switch words {
        case "small": facts.machine = MachineFacts(clockResolution: 4_000_000, totalMemory: 500_000, availableMemory: 9_000)
        case "without real time":
            facts.daemon.status = status(
                realtime: Realtime(
                    priority: 70, lockMemory: true, granted: .init(priority: false, lockMemory: false),
                    remedies: ["no real-time priority"]))
        case "without locked memory":
            facts.daemon.status = status(
                realtime: Realtime(lockMemory: true, granted: .init(lockMemory: false), remedies: ["x"]))
        default: throw UnknownWords(words: words)
        }
    }
}
