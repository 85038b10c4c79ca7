// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import Testing

@testable import hapticctl

@Suite("hapticctl settings --reset")
struct SettingsResetTests {
    @Test("The reset restores every key there is")
    func reset() throws {
        var settings = Settings(
            profile: .quiet, strength: .most, classes: [.alarm: .full], apps: ["x": .full], quietHours: [], off: .forGood)
        try settings.take(NewSettings.none.change(at: .zero))
        #expect(settings == Settings())
    }
}
