// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import hapticctl

@Suite("What was felt, as text")
struct TimelinePictureTests {
    /// `levels`: (ms, intensity) of the actuator `main`, driven as it is meant.
    private func train(_ levels: [(Double, Double)], actuator: String = "main") -> PulseTrain {
        var train = PulseTrain(actuator: actuator)
        for (milliseconds, intensity) in levels {
            train.add(intensity, drive: intensity, at: .microseconds(Int64(milliseconds * 1000)))
        }
        return train
    }

    private func pulse(at milliseconds: Double) -> [(Double, Double)] { [(milliseconds, 1), (milliseconds + 0.5, 0)] }

    private func picture(_ glyphs: TimelinePicture.Glyphs, _ trains: PulseTrain...) -> String {
        TimelinePicture(width: 43, glyphs: glyphs).lines(trains).joined(separator: "\n")
    }

    @Test("A rising level is a rising skyline")
    func ramp() {
        var levels: [(Double, Double)] = (0..<40).map { (Double($0) * 10, Double($0 + 1) / 40) }
        levels.append((400, 0))
        let ramp = train(levels)
        #expect(
            picture(.blocks, ramp) == """
                main: 1 pulse, on for 400 ms in all, at 0 ms
                 100%
                 │                               ▁▂▂▃▄▅▆▆▇█
                 │                     ▁▂▂▃▄▅▆▆▇███████████
                 │           ▁▂▂▃▄▅▆▆▇█████████████████████
                 │ ▁▂▂▃▄▅▆▆▇███████████████████████████████
                 └─┬─────────┬─────────┬─────────┬────────┬
                   0      100 ms    200 ms    300 ms 400 ms
                   1

                Height: how strong, on average, in that time. Digits: how many pulses begin there.
                """)
    }

    @Test("The sign of ten pulses or more is explained where it stands")
    func manyPulses() {
        func picture(_ count: Int) -> String {
            let levels = (0..<count).flatMap { pulse(at: Double($0)) } + pulse(at: 1000)
            return self.picture(.ascii, train(levels))
        }
        #expect(picture(10).contains("   +  ") && picture(10).hasSuffix("pulses begin there; + is ten or more."))
        #expect(picture(9).contains("   9  ") && picture(9).hasSuffix("pulses begin there."))
    }

    @Test("Pulses that share a column are taller, and each is counted below")
    func dense() {
        var levels: [(Double, Double)] = []
        for start in [0, 100, 200, 300, 302, 390, 392, 394, 396] as [Double] { levels += [(start, 1), (start + 1, 0)] }
        levels += [(399, 1), (400, 0)]
        #expect(
            picture(.blocks, train(levels)) == """
                main: 10 pulses, on for 10 ms in all, the first at 0 ms, the last at 399 ms
                 50%
                 │                                        █
                 │                                        █
                 │                               ▅        █
                 │ ▆         ▆         ▆         █        █
                 └─┬─────────┬─────────┬─────────┬────────┬
                   0      100 ms    200 ms    300 ms 400 ms
                   1         1         1         2        5

                Height: how strong, on average, in that time. Digits: how many pulses begin there.
                """)
    }

    @Test("Without Unicode the same is drawn in ASCII, and each actuator has its own rows")
    func ascii() {
        let main = train([(0, 1), (100, 0), (200, 0.5), (300, 0)])
        let light = train([(350, 0.02), (400, 0)], actuator: "light")
        #expect(
            picture(.ascii, main, light) == """
                main: 2 pulses, on for 200 ms in all, the first at 0 ms, the last at 200 ms
                 100%
                 | ##########
                 | ##########
                 | ##########          ##########
                 | ##########          ##########
                 +-+---------+---------+---------+--------+
                   0      100 ms    200 ms    300 ms 400 ms
                   1                   1

                light: 1 pulse, on for 50 ms in all, at 350 ms
                 100%
                 |
                 |
                 |
                 |                                    .....
                 +-+---------+---------+---------+--------+
                   0      100 ms    200 ms    300 ms 400 ms
                                                      1

                Height: how strong, on average, in that time. Digits: how many pulses begin there.
                """)
    }

    @Test("More than nine pulses in a column are shown as +")
    func many() {
        let levels = (0..<400).flatMap { pulse(at: Double($0)) }
        let lines = TimelinePicture(width: 43, glyphs: .ascii).lines([train(levels)])
        #expect(lines[8] == "   " + String(repeating: "+", count: 40))
    }

    @Test("A picture of nothing felt says so")
    func nothing() {
        #expect(picture(.blocks) == "Nothing was felt.")
        #expect(picture(.blocks, train([(5, 0)])) == "Nothing was felt.")
    }

    @Test(
        "The digits add up to the pulses, and no line is wider than the terminal, at any width",
        arguments: [1, 40, 41, 79, 80, 500])
    func widths(width: Int) {
        let levels = (0..<75).flatMap { pulse(at: Double($0) * 21.3) }
        let lines = TimelinePicture(width: width, glyphs: .blocks).lines([train(levels)])
        #expect(lines[8].reduce(0) { $0 + ($1.wholeNumberValue ?? 0) } == 75)
        let limit = min(max(width, TimelinePicture.leastWidth), TimelinePicture.greatestWidth)
        #expect(lines[1...8].allSatisfy { $0.count <= limit })
    }

    @Test("A pulse is what is driven without a break: lengthened and braked it is one, and it is on until the drive ends")
    func driven() {
        var train = PulseTrain(actuator: "main")
        let sent: [(time: Int64, intensity: Double, drive: Double)] = [
            (0, 0.5, 1.2), (10, 0, 1), (20, 0, -1), (25, 0, 0), (60, 0, 1), (70, 0.5, 1), (80, 0, 0),
        ]
        for level in sent { train.add(level.intensity, drive: level.drive, at: .milliseconds(level.time)) }
        #expect(train.starts == [.zero, .milliseconds(60)])
        #expect(train.timeOn == .milliseconds(45) && train.end == .milliseconds(80))
        #expect(picture(.ascii, train).contains("main: 2 pulses, on for 45 ms in all"))
    }

    @Test("Where only the rest of a lengthened pulse was seen it is there, with no height")
    func lengthenedOnly() {
        var train = PulseTrain(actuator: "main")
        train.add(0, drive: 1, at: .zero)
        train.add(0, drive: 0, at: .milliseconds(10))
        #expect(picture(.ascii, train).hasPrefix("main: 1 pulse, on for 10 ms in all, at 0 ms\n 0%\n |\n"))
    }

    @Test("A record begins with its origin, closes what is still on, and counts what it cannot hold")
    func record() {
        var record = FeltRecord()
        record.begin(at: MonotonicInstant(nanoseconds: 1_000_000_000))
        record.add(actuator: "main", intensity: 1, drive: 1, at: MonotonicInstant(nanoseconds: 1_100_000_000))
        record.add(actuator: "pad", intensity: 1, drive: 1, at: MonotonicInstant(nanoseconds: 1_100_000_000))
        record.add(actuator: "pad", intensity: 0, drive: 0, at: MonotonicInstant(nanoseconds: 1_300_000_000))
        #expect(record.closed.map(\.starts) == [[.milliseconds(100)], [.milliseconds(100)]])
        #expect(record.closed.map(\.timeOn) == [.milliseconds(200), .milliseconds(200)])
        for _ in 0..<FeltRecord.mostActuations {
            record.add(actuator: "main", intensity: 0, drive: 0, at: .distantFuture)
        }
        #expect(record.dropped == 3)
    }
}
