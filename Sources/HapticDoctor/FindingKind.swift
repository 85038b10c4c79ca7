// SPDX-License-Identifier: MIT

/// Everything that the doctor may find, in the order in which it is worth being fixed: what comes first may cause what follows.
///
/// Why it matters and what helps is said here only; docs/troubleshooting.md has it from `hapticctl doctor --explain`.
enum FindingKind: String, CaseIterable, Hashable, Sendable {
    case configurationInvalid = "configuration.invalid"
    case serviceMissing = "service.missing"
    case serviceFailed = "service.failed"
    case serviceStopped = "service.stopped"
    case serviceDisabled = "service.disabled"
    case serviceRestarts = "service.restarts"
    case socketVariable = "socket.variable"
    case socketIgnored = "socket.ignored"
    case socketMissing = "socket.missing"
    case socketStale = "socket.stale"
    case socketForeign = "socket.foreign"
    case socketGroup = "socket.group"
    case socketLogin = "socket.login"
    case socketRights = "socket.rights"
    case daemonSilent = "daemon.silent"
    case daemonStrange = "daemon.strange"
    case daemonRefused = "daemon.refused"
    case daemonVersion = "daemon.version"
    case configurationUnreadable = "configuration.unreadable"
    case configurationOther = "configuration.other"
    case deviceMissing = "device.missing"
    case deviceHeld = "device.held"
    case deviceRules = "device.rules"
    case deviceGroup = "device.group"
    case deviceRefused = "device.refused"
    case deviceFailed = "device.failed"
    case deviceSimulated = "device.simulated"
    case motorAssumed = "motor.assumed"
    case inputMissing = "input.missing"
    case inputRefused = "input.refused"
    case inputFailed = "input.failed"
    case inputSimulated = "input.simulated"
    case realtimeRefused = "realtime.refused"
    case memoryUnlocked = "memory.unlocked"
    case memoryShort = "memory.short"
    case descriptorsShort = "descriptors.short"
    case clockCoarse = "clock.coarse"
    case settingsTrouble = "settings.trouble"
    case feedbackLate = "feedback.late"
    case feedbackOff = "feedback.off"
    case feedbackQuiet = "feedback.quiet"
    case feedbackSilenced = "feedback.silenced"
    case feedbackCondition = "feedback.condition"
    case patternWeak = "pattern.weak"
    case pulseRefused = "pulse.refused"
    case pulseUnfelt = "pulse.unfelt"

    var part: Part { explanation.part }
    var why: String { explanation.why }
    var remedy: String { explanation.remedy }

    /// It works all the same.
    var isNote: Bool {
        switch self {
        case .serviceRestarts, .socketIgnored, .configurationUnreadable, .deviceSimulated, .motorAssumed, .inputSimulated,
            .feedbackLate, .feedbackOff, .feedbackQuiet, .feedbackSilenced, .feedbackCondition:
            true
        default: false
        }
    }

    struct Explanation {
        var part: Part
        /// What was found, in general.
        var title: String
        /// Whole sentences.
        var why: String
        var remedy: String

        init(_ part: Part, _ title: String, _ why: String, _ remedy: String) {
            self.part = part
            self.title = title
            self.why = why
            self.remedy = remedy
        }
    }
}
