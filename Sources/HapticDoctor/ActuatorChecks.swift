// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticTerminal
import HapticWire

/// The checks of each actuator and its device.
enum ActuatorChecks {
    static func findings(_ facts: Facts) -> [Finding] {
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
        let unseen: Remedy = facts.user.isRoot ? .user("hapticctl actuators --scan") : facts.doctorAsRoot
        return Finding(
            .deviceHeld, what, details: one.holders.map { "the process \($0.process) (\($0.name)) has it open" },
            remedies: others.isEmpty ? [unseen] : others.map { .root("kill \($0.process)") })
    }

    // MARK: Refused to the daemon

    private static func refused(_ one: ActuatorFacts, _ what: String, _ facts: Facts) -> Finding {
        let details = one.files.map(described)
        if facts.rulesPath == nil {
            let isConfigured = facts.configuration.names { Text($0) == Text(one.name) }
            let finding = Finding(.deviceRules, what, details: details)
            return DeviceRules.add(to: finding, isConfigured: isConfigured, facts)
        }
        let groups = Set(one.files.compactMap(otherGroup)).sorted()
        guard groups.isEmpty else {
            // A file for each: another device's group is not to be overwritten.
            let files = groups.map { (name: "hapticd-group-\($0)", lines: ["SupplementaryGroups=\($0)"]) }
            return Finding(.deviceGroup, what, details: details, remedies: facts.dropIns(files))
        }
        return Finding(.deviceRefused, what, details: details, remedies: DeviceRules.apply)
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
}
