// SPDX-License-Identifier: MIT
public import HapticCore
package import HapticText

/// Which line of which chip, as a configuration says it.
public struct GPIOAddress: Hashable, Sendable, CustomStringConvertible {
    public enum Line: Hashable, Sendable {
        case offset(Int)
        case name(String)
    }

    /// The path of a device, or a chip's name or label.
    public var chip: String
    public var line: Line
    public var isActiveLow: Bool

    public init(chip: String, line: Line, isActiveLow: Bool = false) {
        self.chip = chip
        self.line = line
        self.isActiveLow = isActiveLow
    }

    public var description: String {
        switch line {
        case .offset(let offset): "GPIO line \(offset) of \(chip)"
        case .name(let name): "GPIO line `\(name)` of \(chip)"
        }
    }
}

/// As a configuration has it.
extension GPIOAddress.Line {
    private static let offset = Form<Int>.integer(in: 0...1023)
    private static let lineName = Form<Text>.name()

    package static let form = Form<Self>(.either([offset.kind, lineName.kind])) { field in
        switch field.node.content {
        case .number: return offset.read(field).map { .offset($0) }
        case .string: return lineName.read(field).map { .name($0.string) }
        case .null, .bool, .integer, .list, .object, .invalid:
            field.failExpected("the line's offset, such as `18`, or its name")
            return nil
        }
    }
}

extension GPIODriver {
    /// A driver for a line that is looked for each time it is opened. `pwmPeriod`: nil is on or off only. `outputGuard`: switches
    /// the line off where the daemon cannot; nil in tests only.
    public convenience init(
        _ address: GPIOAddress, pwmPeriod: Nanoseconds?, maxOn: Nanoseconds?, outputGuard: (any OutputGuard)?
    ) {
        self.init(name: "\(address)", pwmPeriod: pwmPeriod, maxOn: maxOn) { () throws(DriverFault) -> any OutputLine in
            try RequestedLine.request(address, outputGuard: outputGuard)
        }
    }
}

/// Finds what an address means among what there is.
enum GPIOSearch {
    /// The one chip that `chip` means among all that there are, those that could not be opened too.
    static func chip(_ chip: String, among chips: [GPIOChip], device: String) throws(DriverFault) -> GPIOChip {
        let found = chips.filter { $0.fault == nil && ($0.path == chip || $0.name == chip || $0.label == chip) }
        guard let first = found.first else {
            // One that may not be opened could be the one; that is worth knowing more than that no other is.
            if let closed = chips.first(where: { $0.path == chip || $0.name == chip }) ?? chips.first(where: { $0.fault != nil }),
                let fault = closed.fault
            {
                throw DriverFault(fault.cause, device: "\(closed.path) (for \(device))")
            }
            let there = chips.map { "\($0.name) (\($0.label))" }.joined(separator: ", ")
            throw DriverFault(
                .absent, device: "the chip of \(device) (this machine has \(there.isEmpty ? "no GPIO chip" : there))")
        }
        guard found.count == 1 else { throw DriverFault(.ambiguous(found.map(\.path)), device: "the chip `\(chip)`") }
        return first
    }

    /// The offset of the one line that `line` means.
    static func offset(_ line: GPIOAddress.Line, in chip: GPIOChip, device: String) throws(DriverFault) -> Int {
        switch line {
        case .offset(let offset):
            guard offset < chip.lines.count else {
                throw DriverFault(
                    .unusable(
                        why: "\(chip.path) has the lines 0 to \(chip.lines.count - 1)",
                        remedy: "`hapticctl actuators --scan` lists them"), device: device)
            }
            return offset
        case .name(let name):
            let found = chip.lines.filter { $0.name == name }
            guard let first = found.first else {
                throw DriverFault(
                    .unusable(
                        why: "no line of \(chip.path) has that name",
                        remedy: "`hapticctl actuators --scan` lists them; a line can be given by its offset too"), device: device)
            }
            guard found.count == 1 else {
                throw DriverFault(.ambiguous(found.map { "line \($0.offset)" }), device: device)
            }
            return first.offset
        }
    }
}
