// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticCore
import TestSupport
import Testing

@testable import HapticInputs

@Suite("Input devices that come and go") struct InputDeviceTests {
    private let inputs = Inputs()

    @Test("A lost device releases its inputs, is reported missing once, and is used again when it is back")
    func comesAndGoes() throws {
        let port = try inputs.open(try .key("pad"), "pad")
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
        // The key is down, but its press was not read.
        #expect((inputs.takenMissing(), inputs.taken()) == (["0: there"], []))
    }

    @Test("A device whose node has gone releases its inputs, even if its descriptor reports nothing")
    func silentlyGone() throws {
        let port = try inputs.open(.button("chip", debounce: .zero), "chip")
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

    @Test("A device whose input gets another purpose is opened again, and only a condition is on because its switch is")
    func otherPurpose() throws {
        inputs.system.plugIn("slider", isDown: true)
        let source = InputSource.button("slider", debounce: .zero)
        inputs.use([DeviceInput(.condition("silent"), source)])
        #expect(inputs.taken().map { "\($0.isDown) \($0.cause)" } == ["true resync"])
        inputs.use([DeviceInput(.condition("silent"), source)])
        #expect(inputs.taken() == [])
        inputs.use([DeviceInput(.condition("quiet"), source)])
        #expect(inputs.taken().map { "\($0.isDown) \($0.cause)" } == ["false lost", "true resync"])
        inputs.use([DeviceInput(.hold("quiet"), source)])
        #expect(inputs.taken().map { "\($0.isDown) \($0.cause)" } == ["false lost"])
        #expect(inputs.system.ports("slider").count == 3)
    }

    @Test("A condition ends when the device of its switch is lost, and the level counts when it is back")
    func lostSwitch() throws {
        inputs.system.plugIn("slider", isDown: true)
        inputs.use([DeviceInput(.condition("silent"), try .key("slider"))])
        let port = try #require(inputs.system.ports("slider").last)
        inputs.system.unplug("slider")
        port.add(.failure(InputPortError(errno: ENODEV)))
        try inputs.read(port)
        #expect(inputs.taken().map { "\($0.isDown) \($0.cause)" } == ["true resync", "false lost"])
        inputs.system.plugIn("slider", isDown: true)
        inputs.supervisor.devicesHaveChanged()
        inputs.turn()
        #expect(inputs.taken().map { "\($0.isDown) \($0.cause)" } == ["true resync"])
    }

    @Test("Positions of a slider share its device, and one of them is on when it is found")
    func slider() throws {
        inputs.system.plugIn("slider")
        let axis = try #require(InputKey(axis: "ABS_SND_PROFILE", at: 0))
        let match = DeviceMatch(name: "slider")
        inputs.use(
            [0, 1].map { position in
                DeviceInput(
                    .condition("\(position)"), InputSource(.key(match, axis.at(position)), debounce: .milliseconds(20)))
            })
        let port = try #require(inputs.system.ports("slider").last)
        #expect(inputs.taken() == [])
        let now = inputs.loop.now
        port.add(InputReading(edges: [edge(false, now, input: 0), edge(true, now, input: 1)]))
        try inputs.read(port)
        #expect(inputs.taken().map { "\($0.input) \($0.isDown)" } == ["1 true"])
        inputs.loop.advance(.milliseconds(30))
        port.add(InputReading(edges: [edge(true, inputs.loop.now, input: 0), edge(false, inputs.loop.now, input: 1)]))
        try inputs.read(port)
        #expect(inputs.taken().map { "\($0.input) \($0.isDown)" } == ["0 true", "1 false"])
        #expect(inputs.system.ports("slider").count == 1)
    }

    @Test("A device whose inputs have changed is given back before it is opened again")
    func reopened() throws {
        let first = try inputs.open(.button("chip"), "chip")
        inputs.loop.hanging = [0]
        inputs.supervisor.use([.button("chip", debounce: .zero)].forHolds)
        try inputs.loop.run(until: "the port to be closed") { first.isClosed }
        inputs.turn()
        #expect(inputs.system.ports("chip").count == 1)
        inputs.loop.hanging = []
        inputs.turn()
        #expect(inputs.system.ports("chip").count == 2)
    }

    @Test("At the end every device is given back, and nothing is reported")
    func end() throws {
        let port = try inputs.open(try .key("pad"), "pad")
        port.add(InputReading(edges: [edge(true, inputs.loop.now)]))
        try inputs.read(port)
        _ = inputs.taken()
        inputs.supervisor.shutDown()
        try inputs.loop.run(until: "the port to be closed") { port.isClosed }
        #expect((inputs.taken(), inputs.takenMissing()) == ([], []))
    }

    @Test("A device that opens and then cannot be read is tried less and less often")
    func broken() throws {
        inputs.system.breakDown("chip")
        _ = try inputs.open(.button("chip"), "chip")
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
        inputs.supervisor.use([try .key("pad")].forHolds)
        inputs.supervisor.shutDown()
        inputs.turn()
        let port = try #require(inputs.system.ports("pad").first)
        try inputs.loop.run(until: "the port to be closed") { port.isClosed }
        #expect(inputs.taken() == [])
    }
}
