// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticInputs

@Suite("Events of keys") struct KeyEventsTests {
    private static let power = InputKey(.key, "KEY_POWER", code: 116)
    private static let silent = InputKey(.axis(at: 0), "ABS_SND_PROFILE", code: 34)
    private var events = KeyEvents([power, InputKey(.key, "KEY_VOLUMEUP", code: 115)])

    private mutating func read(_ list: [(type: UInt16, code: UInt16, value: Int32)]) -> InputReading {
        var reading = InputReading()
        for event in list {
            events.take(.init(type: event.type, code: event.code, value: event.value, at: .zero), into: &reading)
        }
        return reading
    }

    @Test("A key's press and release are edges of its input; repeats and other keys are not")
    mutating func keys() {
        let reading = read([
            (1, 115, 1), (0, 0, 0), (1, 115, 2), (0, 0, 1), (1, 30, 1), (0, 0, 0), (1, 116, 1), (1, 115, 0), (0, 0, 0),
        ])
        #expect(reading.edges.map { "\($0.input) \($0.isDown)" } == ["1 true", "0 true", "1 false"])
        #expect(!reading.hasGap)
    }

    @Test("After SYN_DROPPED all events up to the next report are ignored, and then the keys are read")
    mutating func dropped() {
        let first = read([(1, 116, 1), (0, 0, 0), (0, 3, 0), (1, 116, 0)])
        #expect(first.edges.count == 1)
        #expect(!first.hasGap)
        let second = read([(1, 115, 1), (0, 0, 0), (1, 116, 0), (0, 0, 0)])
        #expect(second.hasGap)
        #expect(second.edges.map(\.isDown) == [false])
    }

    @Test("One key may be two inputs")
    mutating func twice() {
        events = KeyEvents([Self.power, Self.power])
        #expect(read([(1, 116, 1)]).edges.map(\.input) == [0, 1])
    }
}

extension KeyEventsTests {
    @Test("A switch is on at any value but 0, and no key of the same code is one")
    mutating func switches() {
        events = KeyEvents([InputKey(.toggle, "SW_MUTE_DEVICE", code: 14)])
        let reading = read([(1, 14, 1), (5, 14, 1), (5, 0, 1), (0, 0, 0), (5, 14, 0)])
        #expect(reading.edges.map(\.isDown) == [true, false])
    }

    @Test("Each position of an axis is an input: one event releases the old one and presses the new one")
    mutating func axis() {
        events = KeyEvents([Self.silent, Self.silent.at(1), Self.power])
        #expect(read([(3, 34, 1)]).edges.map { "\($0.input) \($0.isDown)" } == ["0 false", "1 true"])
        #expect(read([(3, 34, 2), (3, 0, 0)]).edges.map { "\($0.input) \($0.isDown)" } == ["0 false", "1 false"])
    }
}

@Suite("Edges of a line") struct LineEdgesTests {
    private var edges = LineEdges(most: 16, inputCount: 1)

    private func numbered(_ numbers: ClosedRange<UInt32>) -> [LineEdges.Edge] {
        numbers.map { LineEdges.Edge(isRising: !$0.isMultiple(of: 2), at: .zero, sequence: $0) }
    }

    private func plain(_ count: Int) -> [LineEdges.Edge] {
        (0..<count).map { LineEdges.Edge(isRising: $0.isMultiple(of: 2), at: .zero, sequence: nil) }
    }

    @Test("A number that is left out is a gap, also before the first one that is read")
    mutating func numbers() {
        #expect(!edges.take(numbered(1...3)).hasGap)
        #expect(!edges.take(numbered(4...4)).hasGap)
        #expect(edges.take(numbered(6...7)).hasGap)
        edges = LineEdges(most: 16, inputCount: 1)
        #expect(edges.take(numbered(5...20)).hasGap)
    }

    @Test("A full read of numbered edges is no gap, and more may follow")
    mutating func full() {
        let reading = edges.take(numbered(1...16))
        #expect(!reading.hasGap)
        #expect(!reading.isLast)
        #expect(edges.take([]).isLast)
    }

    @Test("As many edges without numbers as the kernel keeps may have been more")
    mutating func burst() {
        #expect(!edges.take(plain(15)).hasGap)
        #expect(edges.take(plain(16)).hasGap)
    }
}
