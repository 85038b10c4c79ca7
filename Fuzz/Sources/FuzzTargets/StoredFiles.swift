internal import HapticConfig
// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// The stored file of settings: each is refused with reasons, is of a later version, or is written and read again as the same.
public enum StoredFiles: FuzzTarget {
    public static let name = "settings"

    public static func run(_ bytes: [UInt8]) {
        switch accepted({ () throws(InvalidDocument) in try StoredSettings.read(bytes, file: "settings.json") }) {
        case nil: break
        case .newer(let version): require(version > StoredSettings.version, "a later version is later")
        case .settings(let stored):
            for wall in [WallTime(seconds: 0), .first, .last] { check(stored, wall) }
            guard let text = stored.text else { return }
            require((try? StoredSettings.read(text)) == .settings(stored), "what is written is read as it was")
        }
    }

    private static func check(_ stored: StoredSettings, _ wall: WallTime) {
        switch (stored.off, stored.settings(at: .zero, wall: wall).off) {
        case (nil, nil), (.forGood, .forGood), (.until, nil): break
        case (.until, .until(let end)):
            require(end > .zero && end - .zero <= Settings.Limit.off, "off lasts for a year at most")
        default: fatalError("does not hold: off is as it is stored")
        }
    }
}
