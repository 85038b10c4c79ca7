// SPDX-License-Identifier: MIT

/// The keys, switches and axes that an input device has: a bitmap of each, as the kernel writes it.
package struct InputBitmaps: Hashable, Sendable {
    var keys = ""
    var switches = ""
    var axes = ""

    var hasKeys: Bool { keys.contains { $0 != "0" && $0 != " " } }

    subscript(capability: InputCapability) -> String {
        switch capability {
        case .key: keys
        case .sw: switches
        case .abs: axes
        }
    }

    /// Whether the device has the key, switch or axis with this code.
    func has(_ code: Int, _ capability: InputCapability) -> Bool {
        // Words of this program's width in hexadecimal, the last one first; those at the beginning that are 0 are left out.
        let words = self[capability].split(separator: " ")
        let (word, bit) = code.quotientAndRemainder(dividingBy: UInt.bitWidth)
        guard code >= 0, word < words.count, let bits = UInt(words[words.count - 1 - word], radix: 16) else { return false }
        return bits >> bit & 1 == 1
    }
}

/// A capability of an input device: a file in the folder `capabilities` of sysfs.
package enum InputCapability: String, Hashable, Sendable {
    case key, sw, abs
}
