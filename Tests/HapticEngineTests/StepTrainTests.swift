// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import Testing

@Suite("The instants of steps")
struct StepTrainTests {
    @Test("Linear steps are evenly spaced, the last at the full duration")
    func linear() throws {
        let train = try #require(StepTrain(steps: 4, duration: .seconds(1), curve: .linear))
        #expect((1...4).map { train.offset(of: $0) } == [250, 500, 750, 1000].map { .milliseconds($0) })
    }

    @Test("Charge steps accelerate: step k lies where the charge has come to k / N", arguments: [1, 10, 75, 100])
    func charge(steps: Int) throws {
        let train = try #require(StepTrain(steps: steps))
        #expect(train.offset(of: steps) == .milliseconds(1600))
        for k in 1...steps {
            // Putting the tick back into the sum of the growing increments gives the share again.
            let tick = train.offset(of: k).inMilliseconds / 10
            #expect(abs((0.000035 * tick * tick + 0.000665 * tick) / 1.0024 - Double(k) / Double(steps)) < 1e-6)
        }
    }

    @Test("A train is read as it was written, and one out of range is an error")
    func coded() throws {
        let train = try #require(StepTrain(steps: 75, duration: .seconds(1), curve: .linear))
        let text = String(decoding: try JSONEncoder().encode(train), as: UTF8.self)
        #expect(try JSONDecoder().decode(StepTrain.self, from: Data(text.utf8)) == train)
        for steps in [Int.min, -1, 0, 10_001, Int.max] {
            let wrong = text.dropLast().replacing("75", with: "\(steps)") + #","startsAtOnce":true}"#
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(StepTrain.self, from: Data(wrong.utf8)) }
        }
    }

    @Test("A train out of range is not made")
    func invalid() {
        for steps in [0, 10_001] { #expect(StepTrain(steps: steps) == nil) }
        for duration in [Nanoseconds.zero, .seconds(3601)] { #expect(StepTrain(steps: 1, duration: duration) == nil) }
    }
}
