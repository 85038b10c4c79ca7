// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

extension YAML {
    /// `text` in double quotes, on one line and printable; YAML reads the same text back, whatever is in it.
    public static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.isPrintable && scalar.value < 0xd800: quoted.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return "\"\(quoted)\""
    }
}
