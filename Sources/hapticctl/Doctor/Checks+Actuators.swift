// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
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
            return answer.backend == SimulatedBackend.name
                ? Finding(.deviceSimulated, "\(one.name) is simulated", remedies: [.user("hapticctl actuators --scan --yaml")])
                : .ok(.actuators, "\(one.name) is ready")
        }
        let what = "\(one.name): \(error)"
        switch DriverFault.kind(ofDescription: error) {
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
        default: return .ok(.actuators, "\(one.name): the daemon was not asked; nothing against it can be seen from here")
        }
    }

    private static func held(_ one: ActuatorFacts, _ what: String, _ facts: Facts) -> Finding {
        let others = one.holders.filter { !["hapticd", "haptic-guard"].contains($0.name) }
        let unseen: Remedy =
            facts.user.isRoot ? .user("hapticctl actuators --scan") : .root("hapticctl doctor\(option(facts))")
        return Finding(
            .deviceHeld, what, details: one.holders.map { "the process \($0.process) (\($0.name)) has it open" },
            remedies: others.isEmpty ? [unseen] : others.map { .root("kill \($0.process)") })
    }

    // MARK: Refused to the daemon

    /// Where the rules put the daemon's access, in a file of udev.
    private static let ownRules = "/etc/udev/rules.d/70-hapticd.rules"

    private static func refused(_ one: ActuatorFacts, _ what: String, _ facts: Facts) -> Finding {
        let details = one.files.map(described)
        if facts.rulesPath == nil {
            // Only root can read what this user cannot.
            let isReadable = if case .unreadable = facts.configuration.state { false } else { true }
            let rules = "\(isReadable ? "" : "sudo ")hapticctl actuators --scan --udev\(option(facts))"
            return Finding(.deviceRules, what, details: details, remedies: [.root(rules, into: "tee \(ownRules)")] + apply)
        }
        if let file = one.files.first(where: hasOtherGroup), let group = file.groupName {
            return Finding(
                .deviceGroup, what, details: details, remedies: facts.dropIn("hapticd-groups", ["SupplementaryGroups=\(group)"]))
        }
        return Finding(.deviceRefused, what, details: details, remedies: apply)
    }

    private static func hasOtherGroup(_ file: FileFacts) -> Bool {
        guard let group = file.groupName, file.mode & 0o020 != 0 else { return false }
        return file.path.begins(with: "/sys/") && !["root", "hapticd", "haptics", "input"].contains(group)
    }

    private static func described(_ file: FileFacts) -> String {
        "\(file.path): group \(file.groupName ?? "\(file.group)"), mode 0\(String(file.mode, radix: 8))"
    }

    private static let apply: [Remedy] = [
        .root("udevadm control --reload"),
        .root("udevadm trigger --subsystem-match=gpio --subsystem-match=input --subsystem-match=pwm --subsystem-match=leds"),
    ]
}
