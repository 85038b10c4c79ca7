// SPDX-License-Identifier: MIT
internal import HapticCore

/// Checks that what reaches a terminal neither moves its cursor nor forges a line.
func checkShown(_ line: String) {
    for scalar in line.printable.unicodeScalars {
        require(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "no control character is shown: \(scalar.value)")
        require(!(0x202A...0x202E).contains(scalar.value), "no change of direction is shown: \(scalar.value)")
    }
}
