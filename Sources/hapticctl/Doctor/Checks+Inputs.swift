// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire

/// Each key and button that is read for a hold.
extension Checks {
    static func inputs(_ facts: Facts) -> [Finding] {
        facts.inputs.isEmpty ? [.ok(.inputs, "none are read")] : facts.inputs.map { input($0, facts) }
    }

    private static func input(_ one: InputFacts, _ facts: Facts) -> Finding {
        if one.kind == .simulated { return Finding(.inputSimulated, "\(one.hold): \(one.input) is not read") }
        guard let error = one.error, let fault = one.fault else {
            return .ok(
                .inputs, one.isDaemonsWord ? "\(one.hold): \(one.input) is read" : "\(one.hold): \(one.input) is there")
        }
        let what = "\(one.hold): \(error)"
        switch fault {
        case .absent, .deviceLost:
            let list = one.isKey ? "cat /proc/bus/input/devices" : "hapticctl actuators --scan"
            return Finding(.inputMissing, what, remedies: [.user(list)])
        case .permission where !one.isDaemonsWord:
            // What this user may open says nothing about the daemon.
            return .ok(.inputs, "\(one.hold): the daemon was not asked; nothing wrong can be seen from here")
        // Of chips with lines the package's rules speak.
        case .permission where !one.isKey && facts.rulesPath != nil: return Finding(.inputRefused, what, remedies: applyRules)
        case .permission:
            let isConfigured = facts.configuration.holds.contains { Text($0) == Text(one.hold) }
            return withRules(Finding(.inputRefused, what), isConfigured: isConfigured, facts)
        case .busy, .other: return Finding(.inputFailed, what)
        }
    }
}
