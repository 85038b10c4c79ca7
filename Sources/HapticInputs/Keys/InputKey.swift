// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore
internal import HapticText

#if Evdev
    private import CEvdev
#endif

/// A key, a switch or a position of an axis of an input device, as the kernel calls it: `KEY_POWER`, `BTN_SOUTH`, `SW_LID`,
/// `ABS_SND_PROFILE` at 0.
public struct InputKey: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case key
        case toggle
        /// The key counts as down while the axis has this value.
        case axis(at: Int32)
    }

    public let name: String
    let kind: Kind
    /// Nil in a build without libevdev, which does not know it.
    let code: UInt16?

    init(_ kind: Kind, _ name: String, code: UInt16?) {
        (self.kind, self.name, self.code) = (kind, name, code)
    }

    /// Nil where there is no such key or switch.
    public init?(name: String) {
        self.init(name: name, name.utf8.starts(with: "SW_".utf8) ? .toggle : .key)
    }

    /// Nil where there is no such axis.
    public init?(axis name: String, at value: Int32) { self.init(name: name, .axis(at: value)) }

    private init?(name: String, _ kind: Kind) {
        guard kind.prefixes.contains(where: { name.utf8.starts(with: $0.utf8) }) else { return nil }
        #if Evdev
            let found = libevdev_event_code_from_name(UInt32(kind.type), name)
            guard let code = found >= 0 ? UInt16(exactly: found) : Self.newer[name] else { return nil }
            self.init(kind, name, code: code)
        #else
            self.init(kind, name, code: nil)
        #endif
    }

    /// Codes that are newer than the libevdev of Debian 12.
    private static let newer: [String: UInt16] = ["ABS_SND_PROFILE": 0x22]

    public var description: String {
        if case .axis(let value) = kind { "\(name) at \(value)" } else { name }
    }

    /// Whether it is down after an event with this value; nil if the event does not change it: 2 is the repeat of a key.
    func isDown(at value: Int32) -> Bool? {
        switch kind {
        case .key: value == 0 || value == 1 ? value == 1 : nil
        case .toggle: value != 0
        case .axis(let position): value == position
        }
    }

    var use: InputUse { .input(kind.capability, code: Int(code ?? 0), name: name) }
}

extension InputKey.Kind {
    /// The type of its events, of linux/input-event-codes.h.
    var type: UInt16 {
        switch self {
        case .key: 1
        case .axis: 3
        case .toggle: 5
        }
    }

    fileprivate var capability: InputCapability {
        switch self {
        case .key: .key
        case .toggle: .sw
        case .axis: .abs
        }
    }

    fileprivate var prefixes: [String] {
        switch self {
        case .key: ["KEY_", "BTN_"]
        case .toggle: ["SW_"]
        case .axis: ["ABS_"]
        }
    }
}

// MARK: In a configuration

extension InputKey {
    static let keyForm = form(
        "KEY_POWER", "^(KEY|BTN)_[A-Z0-9_]+$", "no key is called",
        "names are as in linux/input-event-codes.h, such as KEY_POWER or BTN_SOUTH"
    ) { name in InputKey(name: name).flatMap { $0.kind == .key ? $0 : nil } }

    static let switchForm = form(
        "SW_LID", "^SW_[A-Z0-9_]+$", "no switch is called",
        "names are as in linux/input-event-codes.h, such as SW_LID or SW_TABLET_MODE"
    ) { name in InputKey(name: name).flatMap { $0.kind == .toggle ? $0 : nil } }

    /// The name of an axis, at 0.
    static let axisForm = form(
        "ABS_SND_PROFILE", "^ABS_[A-Z0-9_]+$", "no axis is called",
        "names are as in linux/input-event-codes.h, such as ABS_SND_PROFILE"
    ) { InputKey(axis: $0, at: 0) }

    func at(_ value: Int32) -> Self { Self(.axis(at: value), name, code: code) }

    private static func form(
        _ example: String, _ pattern: String, _ mistake: String, _ remedy: String,
        _ find: @escaping @Sendable (String) -> InputKey?
    ) -> Form<Self> {
        Form(.textLike(example, pattern: pattern)) { reader in
            guard let text = Form<Text>.name(limit: 64).read(reader) else { return nil }
            if let key = find(text.string) { return key }
            reader.fail("\(mistake) \(text.string); \(remedy)")
            return nil
        }
    }
}
