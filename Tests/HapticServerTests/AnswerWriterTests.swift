// SPDX-License-Identifier: MIT
import HapticCore
import HapticService
import HapticWire
import Testing

@testable import HapticServer

@Suite("Answers that are written once")
struct AnswerWriterTests {
    private static let actuators = ActuatorsResult(
        actuators: (0..<8).map {
            ActuatorResult(
                name: "motor-\($0)", capabilities: .full, limits: .none, backend: "simulated", fault: nil, fallback: nil,
                fit: .auto,
                motor: nil)
        })

    /// Counts how often it is written.
    private struct Counted: Encodable, Equatable {
        final class Counter {
            var count = 0
        }

        let value: Int
        let counter: Counter

        static func == (one: Counted, other: Counted) -> Bool { one.value == other.value }

        func encode(to encoder: any Encoder) throws {
            counter.count += 1
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    @Test("256 answers `actuators` of a line are copies of one")
    func actuators() {
        var writer = AnswerWriter(version: "test")
        let answers = (0..<256).map { writer.answer(.actuators(Self.actuators), to: .integer(Int64($0))) }
        #expect(writer.actuators.value == Self.actuators)
        #expect(answers[0] == WireWriter.answer(Self.actuators, to: .integer(0)))
        #expect(Set(answers.map { $0?.count ?? 0 }).count == 3, "only the ids differ")
    }

    @Test("A result is written again only if it has changed")
    func changes() {
        let counter = Counted.Counter()
        var written = AnswerWriter.Written<Counted>()
        for value in [1, 1, 1, 2, 2, 1] {
            #expect(written.written(Counted(value: value, counter: counter)) == Array("\(value)".utf8))
        }
        #expect(counter.count == 3)
    }
}
