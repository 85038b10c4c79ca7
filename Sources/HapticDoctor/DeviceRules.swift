// SPDX-License-Identifier: MIT

/// The remedies that give the daemon access to a device: rules of udev.
enum DeviceRules {
    /// Written by anybody, then looked at, then copied by root to where udev reads it.
    private static let (newRules, ownRules) = ("70-hapticd.rules", "/etc/udev/rules.d/70-hapticd.rules")

    /// Applies the rules that are installed.
    static let apply: [Remedy] = [
        .root("udevadm control --reload"),
        .root("udevadm trigger --subsystem-match=gpio --subsystem-match=input --subsystem-match=pwm --subsystem-match=leds"),
    ]

    /// Adds the remedies for a device that the daemon may not use. Rules are made of the daemon's configuration: a file of rules that is
    /// empty, or for the devices of another daemon, would replace the package's. `isConfigured`: the configuration has what is refused.
    static func add(to finding: Finding, isConfigured: Bool, _ facts: Facts) -> Finding {
        var finding = finding
        switch facts.configuration.state {
        case .valid where (facts.isConfigurationDaemons || facts.isConfigurationNextDaemons) && isConfigured:
            finding.remedies =
                [
                    .user("hapticctl actuators --scan --udev\(facts.configurationOption) > \(newRules)"),
                    .root("install -m 644 \(newRules) \(ownRules)", after: "[ -s \(newRules) ]"),
                ] + apply
        case .unreadable where !facts.user.isRoot && (!facts.configuration.isNamedByDaemon || facts.isAboutService):
            finding.remedies = [facts.doctorAsRoot]
        case .invalid: finding.details.append("correct \(facts.configuration.path) first; rules are made of it")
        default: finding.details.append("rules are made of the daemon's configuration; name it with --config")
        }
        return finding
    }
}
