// SPDX-License-Identifier: MIT
package import HapticBackends
package import HapticInputs

/// What a machine has of the devices that a configuration names, as rules of udev.
///
/// Nothing of a configuration or a device is in it but what `DeviceRule` lets through.
package struct ScanUdev {
    /// An actuator of the configuration.
    package struct Actuator {
        var name: String
        var backend: String
        /// Nil where it needs none.
        var rule: Result<DeviceRule?, DriverFault>

        package init(name: String, backend: String, rule: Result<DeviceRule?, DriverFault>) {
            (self.name, self.backend, self.rule) = (name, backend, rule)
        }
    }

    /// A key, button or switch of the configuration, by its hold or condition.
    package struct Input {
        var name: String
        var isKey: Bool
        var rule: Result<DeviceRule, InputFault>

        package init(name: String, isKey: Bool, rule: Result<DeviceRule, InputFault>) {
            (self.name, self.isKey, self.rule) = (name, isKey, rule)
        }
    }

    package private(set) var lines = [
        "# Printed by `hapticctl actuators --scan --udev`: lets the group hapticd use the devices of the configuration, and no others.",
        "# In /etc/udev/rules.d/70-hapticd.rules it takes the place of the package's rules, which are for all devices of these kinds.",
        "# Look at it, then:",
        "#     sudo install -m 644 THIS-FILE /etc/udev/rules.d/70-hapticd.rules",
        "#     sudo udevadm control --reload",
        "#     sudo udevadm trigger --subsystem-match=gpio --subsystem-match=input --subsystem-match=pwm --subsystem-match=leds",
        "# What other rules have given before stays until the machine starts again.",
        #"ACTION=="remove", GOTO="hapticd_end""#,
    ]
    /// What has no rule, and why.
    package private(set) var problems: [String] = []
    private var seen: Set<String> = []
    private var grants: [DeviceRule.Grant] = []

    package init(_ actuators: [Actuator], _ inputs: [Input] = []) {
        for (index, actuator) in actuators.enumerated() {
            add(actuator.name, "Actuator \(index + 1)", actuator.backend, actuator.rule) { "\($0)" }
        }
        // A pad that is driven, too, keeps the rule that gives more.
        for (index, input) in inputs.enumerated() {
            let rule = input.rule.map { Optional($0) }.mapError(\.fault)
            add(input.name, "Input \(index + 1)", input.isKey ? "of an input device" : "a line", rule) {
                InputFault($0, isKey: input.isKey).description
            }
        }
        if !grants.isEmpty { lines += ["", "# The same as in the package's rules, where comments say why."] }
        lines += grants.flatMap(\.lines) + ["", #"LABEL="hapticd_end""#]
    }

    private mutating func add(
        _ name: String, _ number: String, _ kind: String, _ rule: Result<DeviceRule?, DriverFault>,
        words: (DriverFault) -> String
    ) {
        let plain = DeviceRule.plain(name).map { ", \($0)" } ?? ""
        let title = "# \(number)\(plain) (\(kind))"
        lines.append("")
        switch rule {
        case .success(nil): lines.append("\(title): needs no device.")
        case .success(let rule?):
            guard seen.insert(rule.line).inserted else { return lines.append("\(title): as above.") }
            lines += [title, rule.line]
            if !grants.contains(rule.grant) { grants.append(rule.grant) }
        case .failure(let fault):
            lines.append("\(title) has no rule: \(Self.reason(fault.cause)).")
            problems.append("\(name): \(words(fault))")
        }
    }

    /// Without any text of a device.
    private static func reason(_ cause: DriverFault.Cause) -> String {
        switch cause {
        case .absent, .deviceLost: "it is missing; connect it, and print the rules again"
        case .permission: "this user may not look at it; print the rules as root"
        case .ambiguous: "it fits several devices; say more of the one that is meant, in the configuration"
        case .unusable, .hanging, .busy, .io, .closed: "it cannot be used; the message on standard error says why"
        }
    }
}
