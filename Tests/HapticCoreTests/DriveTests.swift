// SPDX-License-Identifier: MIT
import HapticCore
import Testing

struct DriveTests {
    @Test(arguments: [-1.01, 1.51, .nan, .infinity, -.infinity])
    func `a drive outside its range cannot be made`(_ value: Double) {
        #expect(Drive(value) == nil)
        #expect(Drive.range.contains(Drive(clamping: value).value))
    }

    @Test func `an intensity is driven as it is, and backwards is on, too`() {
        #expect(Drive(Intensity(clamping: 0.4)).value == 0.4)
        #expect(Drive(clamping: -1).isOn)
        #expect(!Drive.zero.isOn)
    }
}
