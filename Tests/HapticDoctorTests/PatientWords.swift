// SPDX-License-Identifier: MIT
import HapticBackends
import HapticClient
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
import HapticService
import HapticWire

@testable import HapticDoctor

/// The faults of a patient, as the headings in `Snapshots/doctor-findings.txt` name them: two words and a value.
extension Patient {
    struct UnknownWords: Error { let words: String }

    static func apply(_ words: String, to facts: inout Facts) throws {
        let parts = words.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        let (key, value) = (parts.prefix(2).joined(separator: " "), parts.count > 2 ? parts[2] : "")
        if reach(key, value, &facts) { return }
        if try service(key, value, &facts) { return }
        switch parts[0] {
        case "key", "button": try input(words.split(separator: " ").map(String.init), &facts)
        default: try actuator(parts[0], parts[1], value, &facts)
        }
    }

    /// Faults of the user and of the way to the daemon.
    private static func reach(_ key: String, _ value: String, _ facts: inout Facts) -> Bool {
        func fail(_ error: ClientError) {
            (facts.daemon.status, facts.daemon.failure, facts.actuators) = (nil, .init(error), [])
        }
        let limited = WireError(.quota, "more than 2 requests a second; try again in 500 ms")
        let kept = WireError(.notAllowed, "the history is kept to group `staff`, root and hapticd's own user")
        switch key {
        case "user root": facts.user = UserFacts(id: 0, name: "root")
        case "user stranger": (facts.user.groups, facts.user.groupsAtLogin) = ([1000], [1000])
        case "user new-member": facts.user.groups = [1000]
        case "socket stale": facts.sockets[0].file = socketFile()
        case "socket refused": facts.sockets = [SocketFacts(path: Facts.systemSocket, file: socketFile(), outcome: .refused)]
        case "socket group":
            facts.sockets[0].file?.group = 77
            facts.sockets[0].file?.groupName = value.isEmpty ? nil : value
        case "socket mode": facts.sockets[0].file?.mode = UInt32(value, radix: 8) ?? 0
        case "socket foreign":
            facts.sockets[0].file = socketFile()
            facts.sockets[0].file?.isSocket = false
        case "socket option": (facts.naming, facts.sockets) = (.option, [SocketFacts(path: value)])
        case "socket variable": (facts.naming, facts.sockets) = (.variable(value), [SocketFacts(path: value)])
        case "socket ignored": facts.naming = .ignoredVariable(value)
        case "daemon none":
            (facts.sockets, facts.daemon, facts.actuators) = ([SocketFacts(path: Facts.systemSocket)], DaemonFacts(), [])
        case "daemon at":
            (facts.naming, facts.sockets[0].path) = (.option, value)
            if facts.daemon.socket != nil { facts.daemon.socket = value }
        case "daemon silent": fail(.timedOut)
        case "daemon strange": fail(.notUnderstood("hello"))
        case "daemon limited": fail(.refused(limited))
        case "daemon version": facts.daemon.status?.version = value
        case "daemon files": facts.daemon.openFiles = Int(value)
        case "history silent": facts.daemon.historyFailure = .init(.timedOut)
        case "history strange": facts.daemon.historyFailure = .init(.notUnderstood("hello"))
        case "history refused": facts.daemon.historyFailure = .init(.refused(kept))
        default: return false
        }
        return true
    }

    /// Faults of the service, its configuration and its settings.
    private static func service(_ key: String, _ value: String, _ facts: inout Facts) throws -> Bool {
        let words = value.split(separator: " ").map(String.init)
        func set(_ settings: Settings, trouble: String? = nil) {
            let (inForce, monday) = (SettingsInForce(settings), LocalTime(.mon, second: 0))
            facts.daemon.status?.settings = SettingsNow(inForce, at: .zero, monday, isKept: true, trouble: trouble)
        }
        let night = QuietHours(from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!)
        switch key {
        case "service units": facts.service.units = units(socket: words[0], daemon: words[1], file: words[2])
        case "unit hapticd.service", "unit hapticd.socket":
            let parts = value.split(separator: "=").map(String.init)
            facts.service.units?[String(key.dropFirst("unit ".count))]?[parts[0]] = parts[1]
        case "service log": facts.service.lastError = value
        case "systemd none": facts.service.units = nil
        case "file at": facts.configuration.path = value
        case "file has": facts.configuration.state = .valid(words)
        case "file missing": facts.configuration.state = .missing
        case "file unreadable": facts.configuration.state = .unreadable("permission denied")
        case "file invalid": facts.configuration.state = .invalid(count: 1, lines: ["hapticd.yaml:2:1: unknown key"])
        case "file named": facts.configuration.isNamedByDaemon = true
        case "file weak": facts.configuration.weak = try weakPatterns()
        case "rules none": facts.rulesPath = nil
        case "daemon runs":
            facts.configuration.running = value == "this" ? .thisFile : value == "built-in" ? .builtIn : .otherFile(value)
        case "feedback normal": set(Settings())
        case "feedback quiet": set(Settings(quietHours: [night]))
        case "feedback off": set(Settings(profile: .quiet, quietHours: [night], off: .until(.zero + .seconds(60))))
        case "feedback unkept": set(Settings(), trouble: "the disk is full; make room")
        case "feedback condition": facts.daemon.status?.settings.conditions = ["camera", "slider"]
        case "feedback silenced-and-late": facts.daemon.status = status(profile: .silent, missed: 3)
        case "machine small":
            facts.machine = MachineFacts(clockResolution: 4_000_000, totalMemory: 500_000, availableMemory: 9_000)
        case "realtime refused":
            let realtime = StatusResult.Realtime(
                priority: 70, lockMemory: true, granted: .init(priority: false, lockMemory: false),
                remedies: ["no real-time priority"])
            facts.daemon.status = status(realtime: realtime)
        case "memory unlocked":
            facts.daemon.status = status(realtime: .init(lockMemory: true, granted: .init(lockMemory: false), remedies: ["x"]))
        default: return false
        }
        return true
    }

    private static func weakPatterns() throws -> [WeakFeedback] {
        let board = """
            version: 1
            actuators: [{ name: main, backend: simulated, motor: pinephone, fit: off }]
            events: [{ match: "key.*", pattern: tick }, { match: "done", pattern: alarm }]

            """
        return try Configuration.read(yaml: Array(board.utf8), file: "hapticd.yaml").engineConfiguration()
            .weakFeedback.filter { $0.rule.hasPrefix("events") }
    }

    private static func fault(_ word: String, _ device: String) throws -> DriverFault? {
        let cause: DriverFault.Cause? =
            switch word {
            case "ready": nil
            case "absent": .absent
            case "lost": .deviceLost
            case "held": .busy(holder: "`gpioset`")
            case "refused": .permission
            case "hanging": .hanging
            case "odd": .unusable(why: "it has no KEY_POWER", remedy: "x")
            case "ambiguous": .ambiguous([])
            default: throw UnknownWords(words: word)
            }
        return cause.map { DriverFault($0, device: device) }
    }

    /// Faults of an actuator: `main held`, `main sees absent`, `main holder 42 gpioset`, `main group video`.
    private static func actuator(_ name: String, _ word: String, _ value: String, _ facts: inout Facts) throws {
        if !facts.actuators.contains(where: { $0.name == name }) { facts.actuators.append(ActuatorFacts(name: name)) }
        let index = facts.actuators.count - 1
        switch word {
        case "simulated": facts.actuators[index].answer = answer(name, backend: "simulated")
        case "assumed", "described":
            facts.actuators[index].answer?.motor = MotorResult(MotorLibrary.coin.model, isAssumed: word == "assumed")
        case "sees": facts.actuators[index].sighting = DeviceSighting(fault: try fault(value, "LED \(name)"))
        case "holder":
            let holder = value.split(separator: " ")
            facts.actuators[index].holders.append(.init(process: Int32(holder[0]) ?? 0, name: String(holder[1])))
        case "group":
            let path = "/sys/class/leds/\(name)/brightness"
            let group = value == "``" ? "" : value
            facts.actuators[index].files = [FileFacts(path: path, group: 44, groupName: group, mode: 0o664)]
        default: facts.actuators[index].answer = answer(name, try fault(word, "LED \(name)"))
        }
    }

    /// Faults of a key or button: `key absent`, `key refused unasked forbidden` (the daemon has not reported the key, and its
    /// group may not read it).
    private static func input(_ words: [String], _ facts: inout Facts) throws {
        let (device, isSimulated) = ("KEY_POWER of gpio-keys", words[1] == "simulated")
        let kind: StatusResult.Input.Kind = isSimulated ? .simulated : words[0] == "key" ? .key : .line
        let fault = isSimulated ? nil : try fault(words[1], device)
        var input = InputFacts(StatusResult.Input(hold: "power", input: device, kind: kind, fault?.ofActuator))
        input.isDaemonsWord = !words.contains("unasked")
        input.isGroupAllowed = words.contains("allowed") ? true : words.contains("forbidden") ? false : nil
        facts.inputs = [input]
        facts.configuration.inputs = words.contains("unconfigured") ? [] : [.hold("power")]
    }
}
