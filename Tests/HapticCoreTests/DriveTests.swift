// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import Testing

@Suite("Drives")
struct DriveTests {
    @Test("A drive outside its range cannot be made", arguments: [-1.01, 1.51, .nan, .infinity, -.infinity])
    func outside(_ value: Double) {
        #expect(Drive(value) == nil)
        #expect(Drive.range.contains(Drive(clamping: value).value))
    }

    @Test("The drive of an intensity has its value, and a backward drive is on")
    func intensity() {
        #expect(Drive(Intensity(clamping: 0.4)).value == 0.4)
        #expect(Drive(clamping: -1).isOn)
        #expect(!Drive.zero.isOn)
    }

    @Test("The drive of an actuation decides whether it is on, and is encoded if it differs from the level")
    func actuation() throws {
        let half = Level(intensity: Intensity(clamping: 0.5), sharpness: .zero)
        for (drive, isOn, isWritten) in [(nil, true, false), (0.5, true, false), (-1, true, true), (0, false, true)]
            as [(Double?, Bool, Bool)]
        {
            let actuation = Actuation(
                planned: .zero, actuator: ActuatorIndex(0), playback: PlaybackID(1), level: half,
                drive: drive.map { Drive(clamping: $0) })
            let written = try JSONEncoder().encode(actuation)
            #expect(actuation.isOn == isOn)
            #expect(String(decoding: written, as: UTF8.self).contains("drive") == isWritten)
            #expect(try JSONDecoder().decode(Actuation.self, from: written) == actuation)
        }
    }

    @Test("A driver gets a drive that it can do, and none backwards if it only goes forwards")
    func fitted() {
        let level = Level(intensity: .one, sharpness: .one)
        func shown(_ drive: Double, by capabilities: ActuatorCapabilities) -> Double {
            capabilities.fitted(DrivenLevel(level, drive: Drive(clamping: drive))).drive.value
        }
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        let bridge = ActuatorCapabilities(
            variesIntensity: true, variesSharpness: false, mostDrive: Drive(clamping: 1.2), reverses: true)
        #expect([-1, 0.1, 0.3, 1.5].map { shown($0, by: onOff) } == [0, 0, 1, 1])
        #expect([-1, -0.1, 0.3, 1.5].map { shown($0, by: bridge) } == [-1, -0.1, 0.3, 1.2])
    }
}
