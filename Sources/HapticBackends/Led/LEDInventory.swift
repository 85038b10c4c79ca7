// SPDX-License-Identifier: MIT
internal import HapticText

extension LEDBackend {
    public static func inventory() -> Inventory? { inventory(of: LEDDescription.all(in: .system)) }

    package static func inventory(of lights: [LEDDescription]) -> Inventory {
        let rows = lights.map { light in
            [
                light.name, light.maximum == 1 ? "on or off" : "0…\(light.maximum)",
                light.colours.isEmpty ? "one" : light.colours.joined(separator: " "), state(light), stateForYou(light.fault),
            ]
        }
        let used = lights.filter { !$0.looksFree }.map(proposal)
        return Inventory(
            backend: name, title: "Lights",
            whenEmpty: "none: /sys/class/leds is empty. The lights of a board's device tree and of keyboards appear there.",
            tables: rows.isEmpty
                ? []
                : [
                    .init(
                        columns: ["NAME", "BRIGHTNESS", "COLOURS", "STATE", "FOR YOU"], rows: rows,
                        faults: lights.compactMap(\.fault))
                ],
            objects: lights.map(object), noun: "led", proposals: lights.filter(\.looksFree).map(proposal),
            sections: used.isEmpty ? [] : [.init("Lights that are in use. Remove the # to take one over.", used)])
    }

    private static func state(_ light: LEDDescription) -> String {
        if let trigger = light.trigger { return "used by trigger \(trigger)" }
        return light.isLit ? "lit" : "free"
    }

    private static func object(_ light: LEDDescription) -> JSONValue {
        [
            "backend": .string(name), "path": .string(light.path), "name": .string(light.name),
            "maxBrightness": .count(light.maximum),
            "colours": .texts(light.colours), "trigger": .text(light.trigger), "lit": .bool(light.isLit),
            "available": .bool(light.fault == nil), "problem": .problem(light.fault),
        ]
    }

    private static func proposal(_ light: LEDDescription) -> Inventory.Proposal {
        .init(
            name: "led-\(light.name)", keys: [.init("led", .text(light.name))], note: light.looksFree ? nil : state(light),
            isSafe: light.looksFree && NodeReader.isName(light.name))
    }
}
