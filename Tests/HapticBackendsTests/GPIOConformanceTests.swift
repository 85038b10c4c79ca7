// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticBackends
import HapticCore
import Testing

#if GPIO
    private let board = getenv("HAPTICD_BOARD") == nil ? nil : getenv("VBOARD_SIM").map { String(cString: $0) }
#else
    private let board: String? = nil
#endif

/// On a chip of a real kernel, where the simulated world outside is the witness; on the virtual board.
@Suite("The GPIO driver on the kernel's own lines", .serialized, .enabled(if: board != nil))
struct GPIOConformanceTests {
    /// The level at the end of the line's wire.
    private func isHigh(_ offset: Int) -> Bool {
        let text = try? String(contentsOfFile: "\(board ?? "")/sim_gpio\(offset)/value", encoding: .utf8)
        return text?.hasPrefix("1") ?? false
    }

    @Test("The driver keeps the contract, judged by the level of the wire", arguments: [(8, false), (9, true)])
    func conforms(offset: Int, isActiveLow: Bool) {
        let address = GPIOAddress(chip: "vboard", line: .offset(offset), isActiveLow: isActiveLow)
        let violations = DriverConformance.violations {
            let driver = GPIODriver(address, pwmPeriod: nil, maxOn: .seconds(2), outputGuard: nil)
            try driver.open(at: .zero)
            return DriverUnderTest(
                driver: driver,
                output: { isHigh(offset) == isActiveLow ? .off : Level(intensity: .one, sharpness: .zero) },
                maxOn: .seconds(2))
        }
        #expect(violations == [])
    }
}
