// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticBackends
import HapticClient
import HapticWire

struct Actuators: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the motors and lights, and what they can do.",
        discussion: """
            Examples:

              hapticctl actuators
              hapticctl actuators --scan
              hapticctl actuators --scan --yaml > actuators.yaml

            --scan lists what this machine has, in use or not; it needs no daemon and changes nothing.
            """)

    @Flag(help: "Look for what this machine has: GPIO lines, PWM channels, game pads, lights.")
    var scan = false

    @Flag(help: "With --scan: an `actuators:` section to paste into the configuration.")
    var yaml = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if yaml, !scan { throw ValidationError("--yaml is about --scan; give that too") }
        if yaml, common.json { throw ValidationError("--yaml and --json are two forms of the output; give one of them") }
    }

    func run() throws {
        let console = common.console()
        if scan { return try Self.show(Backends.all.compactMap { $0.inventory() }, asYAML: yaml, console) }
        let result = try common.connect().call(.actuators, NoParams(), as: ActuatorsResult.self)
        try console.writeJSON(result)
        let rows = result.actuators.map { actuator in
            [
                actuator.name, actuator.backend, actuator.isAvailable ? "ready" : "missing",
                actuator.variesIntensity ? "any intensity" : "on or off",
                actuator.variesSharpness ? "any sharpness" : "one sharpness",
                Self.limits(actuator),
            ]
        }
        for line in Table.lines([["NAME", "BACKEND", "STATE", "INTENSITY", "SHARPNESS", "LIMITS"]] + rows) {
            try console.say(line)
        }
        for actuator in result.actuators {
            guard let error = actuator.error else { continue }
            try console.say("\(actuator.name): \(error)")
            guard let fallback = actuator.fallback else { continue }
            let isThere = result.actuators.contains { $0.name == fallback && $0.isAvailable }
            try console.say(isThere ? "  \(fallback) plays in its place meanwhile" : "  its fallback \(fallback) is missing, too")
        }
        try console.flush()
    }

    private static func show(_ inventories: [Inventory], asYAML: Bool, _ console: Console) throws {
        for object in inventories.flatMap(\.objects) { try console.writeJSON(object) }
        if asYAML {
            for line in ScanYAML(inventories).lines { try console.emit(line) }
        } else {
            for line in ScanText(inventories).lines { try console.say(line) }
        }
        try console.flush()
    }

    private static func limits(_ actuator: ActuatorResult) -> String {
        var limits: [String] = []
        if actuator.minGapMs > 0 { limits.append("at least \(Words.plain(actuator.minGapMs)) ms off between pulses") }
        if let maxOn = actuator.maxOnMs { limits.append("at most \(Words.plain(maxOn / 1000)) s on") }
        if actuator.duty < 1 { limits.append("on for at most \(Words.percent(actuator.duty)) of any 10 s") }
        return limits.isEmpty ? "none" : limits.joined(separator: ", ")
    }
}
