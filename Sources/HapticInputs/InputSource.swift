// SPDX-License-Identifier: MIT
public import HapticBackends
public import HapticCore
public import HapticText

/// The key, button or switch that is meant.
public enum InputAddress: Hashable, Sendable {
    case line(GPIOAddress, bias: LineBias)
    case key(DeviceMatch, InputKey)
}

/// What holds a line where nothing is pressed.
public enum LineBias: String, CaseIterable, Hashable, Sendable {
    /// As it was before, which is how its chip or firmware has set it.
    case asIs = "as-is"
    case up
    case down
    /// Nothing does; there is a resistor on the board.
    case disabled
}

/// A key, button or switch as a configuration has it.
public struct InputSource: Hashable, Sendable {
    public static let longestDebounce = Nanoseconds.seconds(1)

    public var address: InputAddress
    /// For how long it is closed after a change, because it bounces; 0…`longestDebounce`.
    public var debounce: Nanoseconds

    public init(_ address: InputAddress, debounce: Nanoseconds) {
        self.address = address
        self.debounce = debounce
    }
}

/// A key, button or switch that is read, and its use.
public struct DeviceInput: Hashable, Sendable {
    /// The hold or the condition that the input is for.
    public var purpose: InputPurpose
    /// The key or the line, and its debouncing.
    public var source: InputSource

    public init(_ purpose: InputPurpose, _ source: InputSource) {
        self.purpose = purpose
        self.source = source
    }
}

extension InputPurpose {
    /// Whether the level counts with which an input is found. Nobody has pressed a button that is down then, but a switch is on.
    var countsFoundLevel: Bool { if case .condition = self { true } else { false } }
}

extension InputAddress: CustomStringConvertible {
    /// `KEY_POWER of the input device with name "gpio-keys"`.
    public var description: String {
        switch self {
        case .line(let address, _): "\(address)"
        case .key(let match, let key): "\(key) of \(match)"
        }
    }
}

/// As a configuration has it: `input: { chip: gpiochip0, line: 23 }`, or `input: { match: { name: gpio-keys }, key: KEY_POWER }`, where
/// `switch` or `axis` may replace `key`.
extension InputSource {
    public static let form = Form<Self>(.either([lineForm.kind, keyForm.kind, switchForm.kind, axisForm.kind])) { reader in
        guard case .object(let members) = reader.node.content, !members.isEmpty else {
            reader.failExpected(
                "a button on a line (`chip` and `line`), or a part of an input device (`match` and `key`, `switch` or `axis`)")
            return nil
        }
        func has(_ keys: String...) -> Bool { members.contains { keys.contains($0.key.string) } }
        if has("switch") { return switchForm.read(reader) }
        if has("axis", "at") { return axisForm.read(reader) }
        return (has("match", "key") ? keyForm : lineForm).read(reader)
    }

    private static let standardDebounce = "\(LineDraft().debounce); 0 for an input device"
    private static let debounceSummary = "the time after a change in which further changes are ignored"
    private static let debounceForm = Form<Nanoseconds>.duration(in: .zero...longestDebounce)

    private struct LineDraft {
        var chip: Text?
        var line: GPIOAddress.Line?
        var isActiveLow = false
        var bias = LineBias.asIs
        // Of a bare contact on a wire.
        var debounce = Nanoseconds.milliseconds(10)

        static let keys: [Key<Self>] = [
            .required("chip", .chip(named: "gpiochip"), "the path, the name or the label of the chip") { $0.chip = $1 },
            .required("line", GPIOAddress.Line.form, "the offset of the line, or its name") { $0.line = $1 },
            .optional("activeLow", .boolean, default: "false", "whether the line is low while the button is pressed") {
                $0.isActiveLow = $1
            },
            .optional(
                "bias", .choice(of: LineBias.self, "bias"), default: "`\(LineBias.asIs.rawValue)`",
                "the resistor of the chip that holds the line while nothing is pressed"
            ) { $0.bias = $1 },
            .optional("debounce", debounceForm, default: standardDebounce, debounceSummary) { $0.debounce = $1 },
        ]
    }

    private static let lineForm = Form<Self>.object(LineDraft.keys, into: LineDraft()) { draft, _ in
        guard let chip = draft.chip, let line = draft.line else { return nil }
        let address = GPIOAddress(chip: chip.string, line: line, isActiveLow: draft.isActiveLow)
        return Self(.line(address, bias: draft.bias), debounce: draft.debounce)
    }

    private struct KeyDraft {
        var match: DeviceMatch?
        var key: InputKey?
        var position: Int32?
        // The driver of a key has done that.
        var debounce = Nanoseconds.zero

        /// `own`: the keys for one input of the device.
        static func keys(_ own: [Key<Self>]) -> [Key<Self>] {
            [.required("match", DeviceMatch.form, "the input device") { $0.match = $1 }] + own + [
                .optional("debounce", debounceForm, default: standardDebounce, debounceSummary) { $0.debounce = $1 }
            ]
        }
    }

    private static let keyForm = form(
        .required("key", InputKey.keyForm, "the name of the key in the kernel, such as `KEY_POWER` or `BTN_SOUTH`") {
            $0.key = $1
        })

    private static let switchForm = form(
        .required("switch", InputKey.switchForm, "the name of the switch in the kernel, such as `SW_LID`") { $0.key = $1 })

    private static let axisForm = form(
        .required("axis", InputKey.axisForm, "the name of the axis in the kernel, such as `ABS_SND_PROFILE`; one with positions")
        {
            $0.key = $1
        },
        .required("at", .integer(in: -1_000_000...1_000_000), "the value of the axis at which the input is on") {
            $0.position = Int32(clamping: $1)
        })

    private static func form(_ own: Key<KeyDraft>...) -> Form<Self> {
        .object(KeyDraft.keys(own), into: KeyDraft()) { draft, _ in
            guard let match = draft.match, let key = draft.key else { return nil }
            guard case .axis = key.kind else { return Self(.key(match, key), debounce: draft.debounce) }
            return draft.position.map { Self(.key(match, key.at($0)), debounce: draft.debounce) }
        }
    }
}
