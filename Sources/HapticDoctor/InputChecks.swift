// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire

/// The checks of each key, button and switch that is read for a hold or a condition.
enum InputChecks {
    static func findings(_ facts: Facts) -> [Finding] {
        facts.inputs.isEmpty ? [.ok(.inputs, "none are read")] : facts.inputs.map { input($0, facts) }
    }

    private static func input(_ one: InputFacts, _ facts: Facts) -> Finding {
        if one.kind == .simulated { return Finding(.inputSimulated, "\(one.name): \(one.input) is not read") }
        let what = "\(one.name): \(one.error ?? "\(one.input) is read")"
        switch one.fault {
        case .absent?, .deviceLost?:
            let list = one.isKey ? "cat /proc/bus/input/devices" : "hapticctl actuators --scan"
            return Finding(.inputMissing, what, remedies: [.user(list)])
        case nil where !one.isDaemonsWord, .permission? where !one.isDaemonsWord: return unasked(one, facts)
        case nil: return .ok(.inputs, what)
        case .permission?: return refused(one, what, facts)
        case .busy?, .other?: return Finding(.inputFailed, what)
        }
    }

    /// Without the daemon. What this user may open says nothing about it, and what its group may does.
    private static func unasked(_ one: InputFacts, _ facts: Facts) -> Finding {
        guard facts.isAboutService, let isAllowed = one.isGroupAllowed else {
            return .ok(
                .inputs,
                one.fault == nil
                    ? "\(one.name): \(one.input) is there"
                    : "\(one.name): the daemon was not asked; nothing wrong can be seen from here")
        }
        let verb = one.isKey ? "read" : "use"
        return isAllowed
            ? .ok(.inputs, "\(one.name): \(one.input) is there, and the group hapticd may \(verb) it")
            : refused(one, "\(one.name): the group hapticd may not \(verb) \(one.input)", facts)
    }

    private static func refused(_ one: InputFacts, _ what: String, _ facts: Facts) -> Finding {
        // Of chips with lines the package's rules speak.
        if !one.isKey, facts.rulesPath != nil { return Finding(.inputRefused, what, remedies: DeviceRules.apply) }
        let isConfigured = one.purpose.map { facts.configuration.inputs.contains($0) } ?? false
        return DeviceRules.add(to: Finding(.inputRefused, what), isConfigured: isConfigured, facts)
    }
}
