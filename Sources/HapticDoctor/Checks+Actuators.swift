// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticEngine
import HapticTerminal
import HapticWire

/// Each actuator and its device.
extension Checks {
    static func actuators(_ facts: Facts) -> [Finding] {
        if facts.actuators.isEmpty {
            return [.ok(.actuators, facts.daemon.status == nil ? "not known: the daemon was not asked" : "none are configured")]
        }
        return facts.actuators.map { actuator($0, facts) }
    }

    private static func actuator(_ one: ActuatorFacts, _ facts: Facts) -> Finding {
        guard let answer = one.answer else { return unanswered(one, facts) }
        guard let error = answer.error else {
            if answer.backend == SimulatedBackend.name {
                return Finding(
                    .deviceSimulated, "\(one.name) is simulated", remedies: [.user("hapticctl actuators --scan --yaml")])
            }
            guard let assumption = Words.assumption(answer) else { return .ok(.actuators, "\(one.name) is ready") }
            return Finding(.motorAssumed, assumption, remedies: [facts.hapticctl("tune \(shellQuoted(one.name))")])
        }
        let what = "\(one.name): \(error)"
        switch answer.fault ?? .other {
        case .absent, .deviceLost: return Finding(.deviceMissing, what, remedies: [.user("hapticctl actuators --scan")])
        case .busy: return held(one, what, facts)
        case .permission: return refused(one, what, facts)
        case .other: return Finding(.deviceFailed, what)
        }
    }

    /// Without the daemon: what may be opened is known of this user only, and says nothing.
    private static func unanswered(_ one: ActuatorFacts, _ facts: Facts) -> Finding {
        switch one.sighting?.fault?.cause {
        case .absent?:
            return Finding(
                .deviceMissing, "\(one.name): \(one.sighting?.fault?.device ?? "its device") is not there",
                remedies: [.user("hapticctl actuators --scan")])
        case .busy?: return held(one, "\(one.name): \(one.sighting?.fault?.description ?? "")", facts)
        default: return .ok(.actuators, "\(one.name): the daemon was not asked; nothing wrong can be seen from here")
        }
    }

    private static func held(_ one: ActuatorFacts, _ what: String, _ facts: Facts) -> Finding {
        let others = one.holders.filter { !["hapticd", "haptic-guard"].contains($0.name) }
        let unseen: Remedy =
            facts.user.isRoot ? .user("hapticctl actuators --scan") : facts.hapticctl("doctor\(option(facts))", asRoot: true)
        return Finding(
            .deviceHeld, what, details: one.holders.map { "the process \($0.process) (\($0.name)) has it open" },
            remedies: others.isEmpty ? [unseen] : others.map { .root("kill \($0.process)") })
    }

    /// The patterns of rules that no hand feels. One finding lists all of them.
    static func weakPatterns(_ facts: Facts) -> [Finding] {
        let weak = facts.configuration.weak
        guard !weak.isEmpty else { return [] }
        let places = Set(weak.flatMap(\.actuators)).sorted()
        return [
            Finding(
                .patternWeak, "\(Words.count(weak.count, "pattern")) of the rules in \(facts.configuration.path) cannot be felt",
                details: weak.map(Words.weak), remedies: places.map { facts.hapticctl("tune \(shellQuoted($0))") })
        ]
    }

    // MARK: Refused to the daemon

    /// Written by anybody, then looked at, then copied by root to where udev reads it.
    private static let (newRules, ownRules) = ("70-hapticd.rules", "/etc/udev/rules.d/70-hapticd.rules")

    private static func refused(_ one: ActuatorFacts, _ what: String, _ facts: Facts) -> Finding {
        let details = one.files.map(described)
        if facts.rulesPath == nil {
            let isConfigured = facts.configuration.names { Text($0) == Text(one.name) }
            return withRules(Finding(.deviceRules, what, details: details), isConfigured: isConfigured, facts)
        }
        let groups = Set(one.files.compactMap(otherGroup)).sorted()
        guard groups.isEmpty else {
            // A file for each: another device's group is not to be overwritten.
            let files = groups.map { (name: "hapticd-group-\($0)", lines: ["SupplementaryGroups=\($0)"]) }
            return Finding(.deviceGroup, what, details: details, remedies: facts.dropIns(files))
        }
        return Finding(.deviceRefused, what, details: details, remedies: applyRules)
    }

    /// Rules are made of the daemon's configuration. A file of rules that is empty or of another daemon's devices would take the
    /// place of the package's. `isConfigured`: it has what is refused.
    static func withRules(_ finding: Finding, isConfigured: Bool, _ facts: Facts) -> Finding {
        var finding = finding
        switch facts.configuration.state {
        case .valid where (facts.isConfigurationDaemons || facts.isConfigurationNextDaemons) && isConfigured:
            finding.remedies =
                [
                    .user("hapticctl actuators --scan --udev\(option(facts)) > \(newRules)"),
                    .root("install -m 644 \(newRules) \(ownRules)", after: "[ -s \(newRules) ]"),
                ] + applyRules
        case .unreadable where !facts.user.isRoot && (!facts.configuration.isNamedByDaemon || facts.isAboutService):
            finding.remedies = [facts.hapticctl("doctor\(option(facts))", asRoot: true)]
        case .invalid: finding.details.append("correct \(facts.configuration.path) first; rules are made of it")
        default: finding.details.append("rules are made of the daemon's configuration; name it with --config")
        }
        return finding
    }

    /// As systemd and the name of a file take it: the number, where the name may mean something to them.
    private static func otherGroup(_ file: FileFacts) -> String? {
        guard let group = file.groupName, file.mode & 0o020 != 0, file.path.begins(with: "/sys/"),
            !["root", "hapticd", "haptics", "input"].contains(group)
        else { return nil }
        let isPlain = group.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        let isName = group.utf8.first.map { $0 != UInt8(ascii: "-") && !(0x30...0x39).contains($0) } ?? false
        return isPlain && isName ? group : "\(file.group)"
    }

    private static func described(_ file: FileFacts) -> String {
        "\(file.path): group \(file.groupName ?? "\(file.group)"), mode 0\(String(file.mode, radix: 8))"
    }

    static let applyRules: [Remedy] = [
        .root("udevadm control --reload"),
        .root("udevadm trigger --subsystem-match=gpio --subsystem-match=input --subsystem-match=pwm --subsystem-match=leds"),
    ]
}
