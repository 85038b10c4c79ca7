// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore
internal import HapticEngine
internal import HapticInputs
internal import HapticText

/// The keys, buttons and switches that a configuration has read so far: each once, and none that is an output.
struct InputTable {
    let actuators: [ActuatorConfiguration]
    private(set) var inputs: [DeviceInput]

    init(_ actuators: [ActuatorConfiguration], _ inputs: [DeviceInput] = []) {
        (self.actuators, self.inputs) = (actuators, inputs)
    }

    func has(_ purpose: InputPurpose) -> Bool { inputs.contains { $0.purpose == purpose } }

    /// Adds the input that `field` of `entry` names, and reports its mistakes.
    mutating func add(_ purpose: InputPurpose, _ source: InputSource, _ field: NodeReader?, _ entry: NodeReader) {
        if let other = inputs.first(where: { $0.source.address.isSame(as: source.address) }) {
            field?.fail("\(source.address) is that of \(other.purpose.quotedName) already; take one of them out")
        }
        if let driven = actuators.first(where: { $0.backend.device.map { Text($0) } == Text("\(source.address)") }) {
            field?.fail(
                "\(source.address) is the device of the actuator \(quoted(driven.name)), and cannot be read, too; name another line"
            )
        }
        let most = HoldTable.mostOfDevices
        if inputs.count == most {
            entry.fail("there are \(most) keys, buttons and switches already, and no more are read; take some out")
        }
        inputs.append(DeviceInput(purpose, source))
    }
}

extension InputPurpose {
    fileprivate var quotedName: String {
        switch self {
        case .hold: "the hold \(quoted(name))"
        case .condition: "the condition \(quoted(name))"
        }
    }
}

extension InputAddress {
    /// Whether it is the same key or line, however that is held and read.
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.line(let a, _), .line(let b, _)): a.line == b.line && Text(a.chip) == Text(b.chip)
        case (.key(let a, let key), .key(let b, let other)): a == b && key == other
        case (.line, .key), (.key, .line): false
        }
    }
}
