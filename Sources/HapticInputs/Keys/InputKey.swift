// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

#if Evdev
    private import CEvdev
#endif

/// A key or button of an input device, as the kernel calls it: `KEY_POWER`, `BTN_SOUTH`.
public struct InputKey: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    /// Nil in a build without libevdev, which does not know it.
    let code: UInt16?

    /// Nil where there is no such key.
    public init?(name: String) {
        guard name.hasPrefix("KEY_") || name.hasPrefix("BTN_") else { return nil }
        #if Evdev
            let code = libevdev_event_code_from_name(UInt32(EV_KEY), name)
            guard code >= 0, code < KEY_CNT else { return nil }
            self.code = UInt16(code)
        #else
            code = nil
        #endif
        self.name = name
    }

    public var description: String { name }

    static let form = Form<Self>(
        .textLike("KEY_POWER", pattern: "^(KEY|BTN)_[A-Z0-9_]+$"),
        { reader in
            guard let text = Form<Text>.name(limit: 64).read(reader) else { return nil }
            if let key = InputKey(name: text.string) { return key }
            reader.fail(
                "no key is called \(text.string); names are as in linux/input-event-codes.h, such as KEY_POWER or BTN_SOUTH")
            return nil
        })
}
