// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import TestSupport
import Testing

@testable import HapticInputs

@Suite("The supervisor of keys and buttons") struct InputSupervisorTests {
    private let inputs = Inputs()

    @Test("A press is reported with the kernel's instant, and its bouncing is not")
    func press() throws {
        let port = try inputs.open(.button("chip"), "chip")
        let start = inputs.loop.now
        inputs.loop.advance(.milliseconds(3))
        port.add(
            InputReading(edges: [edge(true, start), edge(false, start + .milliseconds(1)), edge(true, start + .milliseconds(2))]))
        try inputs.read(port)
        #expect(inputs.taken() == [InputChange(input: 0, isDown: true, at: start, cause: .edge)])
        inputs.loop.advance(.milliseconds(50))
        #expect(inputs.taken() == [])
    }

    @Test("Edges that wait in a device are read when asked for, whatever its thread has reported")
    func readAll() throws {
        let port = try inputs.open(try .key("pad"), "pad")
        let start = inputs.loop.now
        port.add(InputReading(edges: [edge(true, start)], isLast: false))
        port.add(InputReading(edges: [edge(false, start + .milliseconds(3))]))
        inputs.loop.advance(.milliseconds(5))
        // The bell's thread may have reported the first already; then one look is enough for both.
        if !inputs.supervisor.readAll() { #expect(inputs.supervisor.readAll()) }
        #expect(
            inputs.taken() == [
                InputChange(input: 0, isDown: true, at: start, cause: .edge),
                InputChange(input: 0, isDown: false, at: start + .milliseconds(3), cause: .edge),
            ])
        port.add(InputReading(hasGap: true))
        #expect(inputs.supervisor.readAll() == false)
    }

    @Test("An edge that has not been read yet when the input opens again is read first")
    func readsFirst() throws {
        let port = try inputs.open(.button("chip"), "chip")
        let start = inputs.loop.now
        port.add(InputReading(edges: [edge(true, start), edge(false, start + .milliseconds(2))]))
        try inputs.read(port)
        port.add(InputReading(edges: [edge(true, start + .milliseconds(9))]))
        inputs.loop.advance(.milliseconds(12))
        #expect(inputs.taken().map(\.isDown) == [true])
    }

    @Test("The first levels have been awaited once every device has been opened, or could not be")
    func firstLevels() {
        inputs.system.plugIn("chip", isDown: true)
        inputs.supervisor.use([DeviceInput(.condition("slider"), .button("chip")), DeviceInput(.hold("door"), .button("absent"))])
        var found: [[Bool]] = []
        inputs.supervisor.awaitFirstLevels(within: .milliseconds(500)) { found.append(inputs.changes.map(\.isDown)) }
        #expect(found == [])
        inputs.turn()
        inputs.loop.advance(.seconds(1))
        #expect(found == [[true]])
        inputs.supervisor.awaitFirstLevels(within: .milliseconds(500)) { found.append([]) }
        #expect(found == [[true], []], "they have been read")
    }

    @Test("The first levels of a device that hangs are awaited for a bounded time")
    func hangingFirstLevels() {
        inputs.system.plugIn("chip", isDown: true)
        inputs.loop.hanging = [0]
        inputs.supervisor.use([DeviceInput(.condition("slider"), .button("chip"))])
        var count = 0
        inputs.supervisor.awaitFirstLevels(within: .milliseconds(500)) { count += 1 }
        inputs.turn()
        inputs.loop.advance(.milliseconds(499))
        #expect(count == 0)
        inputs.loop.advance(.milliseconds(1))
        #expect(count == 1)
        inputs.loop.hanging = []
        inputs.turn()
        #expect(count == 1)
        #expect(inputs.taken().map(\.isDown) == [true])
    }

    @Test("Keys of one device share its descriptor, and each is reported by its index")
    func shared() throws {
        inputs.system.plugIn("pad")
        inputs.use(try .key("pad"), .button("chip"), try .key("pad", "KEY_VOLUMEUP"))
        #expect(inputs.system.ports("pad").count == 1)
        let port = inputs.system.ports("pad")[0]
        port.add(InputReading(edges: [edge(true, inputs.loop.now, input: 1)]))
        try inputs.read(port)
        #expect(inputs.taken().map(\.input) == [2])
    }

    @Test("An instant in the future, such as one of another clock, counts as now")
    func future() throws {
        let port = try inputs.open(try .key("pad"), "pad")
        port.add(InputReading(edges: [edge(true, inputs.loop.now + .seconds(1_000_000_000))]))
        try inputs.read(port)
        #expect(inputs.taken().map(\.at) == [inputs.loop.now])
    }

    @Test("After a gap the level is read from the device")
    func gap() throws {
        let port = try inputs.open(try .key("pad"), "pad")
        port.set([true])
        port.add(InputReading(hasGap: true))
        try inputs.read(port)
        #expect((inputs.taken().map(\.cause), port.looks) == ([.resync], 2))
        port.add(InputReading(edges: [edge(false, inputs.loop.now)]))
        inputs.loop.advance(.milliseconds(1))
        try inputs.read(port)
        #expect(inputs.taken().map(\.isDown) == [false])
    }

    @Test("A key that is down when it is opened counts as pressed only after a release, even after a gap")
    func downAtStart() throws {
        inputs.system.plugIn("pad", isDown: true)
        inputs.use(try .key("pad"))
        let port = try #require(inputs.system.ports("pad").last)
        port.add(InputReading(edges: [edge(true, inputs.loop.now)], hasGap: true))
        inputs.loop.advance(.milliseconds(1))
        try inputs.read(port)
        #expect((port.looks, inputs.taken()) == (2, []))
        port.add(InputReading(edges: [edge(false, inputs.loop.now)]))
        inputs.loop.advance(.milliseconds(1))
        try inputs.read(port)
        #expect(inputs.taken() == [])
        port.add(InputReading(edges: [edge(true, inputs.loop.now)]))
        try inputs.read(port)
        #expect(inputs.taken().map { "\($0.isDown) \($0.cause)" } == ["true edge"])
    }

    @Test("A device that never stops reporting is read in bounded parts, and its levels at most every 5 ms")
    func flood() throws {
        let port = try inputs.open(.button("chip"), "chip")
        for number in 0..<400 {
            port.add(
                InputReading(
                    edges: [edge(number.isMultiple(of: 2), inputs.loop.now)], hasGap: number.isMultiple(of: 3), isLast: false))
        }
        var turns = 0
        try inputs.loop.run(until: "the port to be read") {
            turns += 1
            inputs.loop.advance(.milliseconds(1))
            return port.unread == 0
        }
        #expect(turns >= 400)
        #expect(port.looks <= turns / 5 + 2)
        #expect(inputs.taken().count <= turns / 10 + 2)
    }

    @Test("A tap that is read as a whole is one report, with both instants")
    func wholeTap() throws {
        let port = try inputs.open(try .key("pad"), "pad")
        let start = inputs.loop.now
        inputs.loop.advance(.milliseconds(900))
        port.add(InputReading(edges: [edge(true, start), edge(false, start + .milliseconds(200))]))
        try inputs.read(port)
        #expect((inputs.taken().map(\.at), inputs.reports) == ([start, start + .milliseconds(200)], 1))
    }
}
