// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticEngine
internal import HapticPlanning

/// How the service is, in the few words that a service manager shows beside its name.
public struct ServiceState: Hashable, Sendable, CustomStringConvertible {
    /// Names beyond this number are counted only.
    private static let mostNames = 5

    public var actuators: Int
    /// Names of the actuators that are not there, in the order of the configuration.
    public var missing: [String]
    /// Names of those that are being opened for the first time.
    public var opening: [String]
    public var clients: Int
    public var profile: String
    /// Feedback is switched off.
    public var isOff: Bool
    /// These are quiet hours.
    public var isQuiet: Bool

    public init(
        actuators: Int, missing: [String], opening: [String] = [], clients: Int, profile: String, isOff: Bool = false,
        isQuiet: Bool = false
    ) {
        self.actuators = actuators
        self.missing = missing
        self.opening = opening
        self.clients = clients
        self.profile = profile
        self.isOff = isOff
        self.isQuiet = isQuiet
    }

    /// How `service` is now. `opening`: the actuators that are being opened for the first time; they do not count as missing.
    public init(of service: FeedbackService, opening: Set<ActuatorIndex> = []) {
        let actuators = service.configuration.engine.actuators
        func names(_ indices: some Sequence<ActuatorIndex>) -> [String] {
            indices.sorted { $0.value < $1.value }.map { actuators[$0.value].name }
        }
        let missing = service.listings.unavailable.keys.filter { !opening.contains($0) }
        self.init(
            actuators: actuators.count, missing: names(missing), opening: names(opening), clients: service.clients.count,
            profile: service.loop.engine.profile.rawValue, isOff: service.settingsInForce.off != nil,
            isQuiet: service.settings.isQuiet)
    }

    /// Such as `3 actuators, 1 missing (pad); 2 clients; profile full`. One line.
    public var description: String {
        var parts = [Self.count(actuators, "actuator")]
        if !missing.isEmpty { parts.append("\(missing.count) missing (\(Self.list(missing)))") }
        if !opening.isEmpty { parts.append("\(opening.count) still being opened (\(Self.list(opening)))") }
        let silence = isOff ? "; feedback is off" : isQuiet ? "; quiet hours" : ""
        return "\(parts.joined(separator: ", ")); \(Self.count(clients, "client")); profile \(profile)\(silence)"
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func list(_ names: [String]) -> String {
        let rest = names.count - mostNames
        return names.prefix(mostNames).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
