// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticCore
import TestSupport
import Testing

@testable import HapticInputs

@Suite("The supervisor of keys and buttons") struct InputSupervisorTests {
    private let inputs = Inputs()

    private func edge(_ isDown: Bool, _ at: MonotonicInstant, input: Int = 0) -> InputEdge {
        InputEdge(input: input, isDown: isDown, at: at)
    }

    /// A device that is there and open, with this source alone.
    private func open(_ source: InputSource, _ name: String) throws -> ModelPort {
        inputs.system.plugIn(name)
        inputs.use(source)
        return try #require(inputs.system.ports(name).last)
    }

    @Test("A press is reported with the kernel's instant, and its bouncing is not")
    func press() throws {
        let port = try open(.button("chip"), "chip")
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
        let port = try open(try .key("pad"), "pad")
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
        let port = try open(.button("chip"), "chip")
        let start = inputs.loop.now
        port.add(InputReading(edges: [edge(true, start), edge(false, start + .milliseconds(2))]))
        try inputs.read(port)
        port.add(InputReading(edges: [edge(true, start + .milliseconds(9))]))
        inputs.loop.advance(.milliseconds(12))
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
        let port = try open(try .key("pad"), "pad")
        port.add(InputReading(edges: [edge(true, inputs.loop.now + .seconds(1_000_000_000))]))
        try inputs.read(port)
        #expect(inputs.taken().map(\.at) == [inputs.loop.now])
    }

    @Test("After a gap the level is read from the device")
    func gap() throws {
        let port = try open(try .key("pad"), "pad")
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

    @Test("A lost device releases its inputs, is reported missing once, and is used again when it is back")
    func comesAndGoes() throws {
        let port = try open(try .key("pad"), "pad")
        port.add(InputReading(edges: [edge(true, inputs.loop.now)]))
        try inputs.read(port)
        inputs.system.unplug("pad")
        port.add(.failure(InputPortError(errno: ENODEV)))
        try inputs.read(port)
        #expect(inputs.taken().map { "\($0.isDown) \($0.cause)" } == ["true edge", "false lost"])
        try inputs.loop.run(until: "the port to be closed") { port.isClosed }
        let reported = inputs.takenMissing()
        #expect(reported.count == 1)
        #expect(reported[0].contains("is gone; plug it in again"))
        for _ in 0..<5 {
            inputs.supervisor.devicesHaveChanged()
            inputs.turn()
        }
        #expect(inputs.takenMissing() == [])
        inputs.system.plugIn("pad", isDown: true)
        inputs.supervisor.devicesHaveChanged()
        inputs.turn()
        // It is down, but nobody has seen it go down.
        #expect((inputs.takenMissing(), inputs.taken()) == (["0: there"], []))
    }

    @Test("A device whose node has gone releases its inputs, even if its descriptor reports nothing")
    func silentlyGone() throws {
        let port = try open(.button("chip", debounce: .zero), "chip")
        port.add(InputReading(edges: [edge(true, inputs.loop.now)]))
        try inputs.read(port)
        inputs.system.unplug("chip")
        inputs.supervisor.devicesHaveChanged()
        inputs.turn()
        #expect(inputs.taken().map(\.isDown) == [true, false])
        try inputs.loop.run(until: "the port to be closed") { port.isClosed }
    }

    @Test("A key that may not be read is reported with the rule that would permit it, and tried when its node has changed")
    func refused() throws {
        inputs.system.plugIn("pad")
        inputs.system.refuse("pad", .permission)
        inputs.use(try .key("pad"))
        let reported = inputs.takenMissing()
        #expect(reported.count == 1)
        #expect(reported[0].contains("setfacl -m g:hapticd:r"))
        #expect(reported[0].contains("--scan --udev"))
        inputs.loop.advance(.seconds(100))
        inputs.turn()
        #expect(inputs.system.tries == 1)
        inputs.system.refuse("pad", nil)
        inputs.supervisor.devicesHaveChanged()
        inputs.turn()
        #expect(inputs.takenMissing() == ["0: there"])
    }

    @Test("A device that another program holds is tried again, less and less often, and reported once")
    func busy() throws {
        inputs.system.plugIn("chip")
        inputs.system.refuse("chip", .busy(holder: nil))
        inputs.use(.button("chip"))
        for _ in 0..<6000 {
            inputs.loop.advance(.milliseconds(100))
            inputs.loop.turn()
        }
        // 100, 200, … ms up to 30 s, in 10 minutes.
        #expect(inputs.takenMissing().count == 1)
        #expect((25...32).contains(inputs.system.tries))
    }

    @Test("A missing device is looked for again and again if nobody watches the folders of devices")
    func unwatched() throws {
        let inputs = Inputs(isWatching: false)
        inputs.use(try .key("pad"))
        inputs.system.plugIn("pad")
        inputs.loop.advance(.milliseconds(100))
        inputs.turn()
        #expect(inputs.takenMissing().last == "0: there")
    }

    @Test("A device that hangs when its keys are read releases its inputs, and no other device waits for it")
    func hangs() throws {
        inputs.system.plugIn("pad")
        inputs.system.plugIn("chip")
        inputs.use(try .key("pad"), .button("chip"))
        let (pad, chip) = (inputs.system.ports("pad")[0], inputs.system.ports("chip")[0])
        pad.add(InputReading(edges: [edge(true, inputs.loop.now)]))
        try inputs.read(pad)
        inputs.loop.hanging = [0]
        pad.add(InputReading(hasGap: true))
        try inputs.read(pad)
        chip.add(InputReading(edges: [edge(true, inputs.loop.now)]))
        try inputs.read(chip)
        #expect(inputs.taken().map(\.input) == [0, 1])
        inputs.loop.advance(.milliseconds(500))
        #expect(inputs.taken().map { "\($0.input) \($0.isDown)" } == ["0 false"])
        #expect(inputs.takenMissing().contains { $0.contains("hangs") })
        inputs.loop.hanging = []
        inputs.loop.advance(.milliseconds(100))
        inputs.turn()
        #expect((inputs.takenMissing(), inputs.taken()) == (["0: there"], []))
        #expect(inputs.system.ports("pad").count == 2)
        try inputs.loop.run(until: "the port to be closed") { pad.isClosed }
    }

    @Test("A device that never stops reporting is read in bounded parts, and its levels at most every 5 ms")
    func flood() throws {
        let port = try open(.button("chip"), "chip")
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

    @Test("When inputs change, a device with the same inputs stays open and stays held; others release theirs")
    func replaced() throws {
        for name in ["pad", "chip"] { inputs.system.plugIn(name) }
        inputs.use(.button("chip"), try .key("pad"))
        for name in ["pad", "chip"] {
            let port = inputs.system.ports(name)[0]
            port.add(InputReading(edges: [edge(true, inputs.loop.now)]))
            inputs.loop.advance(.milliseconds(1))
            try inputs.read(port)
        }
        #expect(inputs.taken().map(\.input) == [1, 0])
        inputs.use(try .key("pad"), .button("new"))
        #expect(inputs.taken().map { "\($0.input) \($0.isDown) \($0.cause)" } == ["0 false lost"])
        let (pad, chip) = (inputs.system.ports("pad"), inputs.system.ports("chip"))
        try inputs.loop.run(until: "the port to be closed") { chip.map(\.isClosed) == [true] }
        #expect(pad.count == 1)
        #expect(!pad[0].isClosed)
        pad[0].add(InputReading(edges: [edge(false, inputs.loop.now)]))
        inputs.loop.advance(.milliseconds(1))
        try inputs.read(pad[0])
        #expect(inputs.taken().map { "\($0.input) \($0.isDown)" } == ["0 false"])
    }

    @Test("A device whose inputs have changed is given back before it is opened again")
    func reopened() throws {
        let first = try open(.button("chip"), "chip")
        inputs.loop.hanging = [0]
        inputs.supervisor.use([.button("chip", debounce: .zero)])
        try inputs.loop.run(until: "the port to be closed") { first.isClosed }
        inputs.turn()
        #expect(inputs.system.ports("chip").count == 1)
        inputs.loop.hanging = []
        inputs.turn()
        #expect(inputs.system.ports("chip").count == 2)
    }

    @Test("At the end every device is given back, and nothing is reported")
    func end() throws {
        let port = try open(try .key("pad"), "pad")
        port.add(InputReading(edges: [edge(true, inputs.loop.now)]))
        try inputs.read(port)
        _ = inputs.taken()
        inputs.supervisor.shutDown()
        try inputs.loop.run(until: "the port to be closed") { port.isClosed }
        #expect((inputs.taken(), inputs.takenMissing()) == ([], []))
    }

    @Test("A tap that is read as a whole is one report, with both instants")
    func wholeTap() throws {
        let port = try open(try .key("pad"), "pad")
        let start = inputs.loop.now
        inputs.loop.advance(.milliseconds(900))
        port.add(InputReading(edges: [edge(true, start), edge(false, start + .milliseconds(200))]))
        try inputs.read(port)
        #expect((inputs.taken().map(\.at), inputs.reports) == ([start, start + .milliseconds(200)], 1))
    }

    @Test("A device that opens and then cannot be read is tried less and less often")
    func broken() throws {
        inputs.system.breakDown("chip")
        _ = try open(.button("chip"), "chip")
        for _ in 0..<1000 {
            try inputs.read(try #require(inputs.system.ports("chip").last))
            inputs.loop.advance(.milliseconds(10))
            inputs.turn()
        }
        // In 10 seconds: after 100, 300, 700 ms and so on.
        #expect((5...9).contains(inputs.system.tries))
    }

    @Test("A device that opens only after the end is given back immediately")
    func lateOpening() throws {
        inputs.system.plugIn("pad")
        inputs.supervisor.use([try .key("pad")])
        inputs.supervisor.shutDown()
        inputs.turn()
        let port = try #require(inputs.system.ports("pad").first)
        try inputs.loop.run(until: "the port to be closed") { port.isClosed }
        #expect(inputs.taken() == [])
    }
}
