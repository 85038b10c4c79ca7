// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticCore
import HapticThreads
import Synchronization
import TestSupport
import Testing

@testable import HapticBackends
@testable import HapticInputs

#if GPIO && Evdev
    private let board = getenv("HAPTICD_BOARD") == nil ? nil : getenv("VBOARD_SIM").map { String(cString: $0) }

    /// On devices of a real kernel, whose other ends are in the test's hands; on the virtual board.
    @Suite("Keys and buttons of a real kernel", .serialized, .enabled(if: board != nil))
    struct KernelInputsTests {
        private static let names = Atomic<Int>(0)
        private let name = "Test keys \(names.add(1, ordering: .relaxed).newValue)"

        private func key(_ name: String = "KEY_POWER") throws -> InputKey { try #require(InputKey(name: name)) }

        private func port(_ keys: InputKey...) throws -> KeyPort {
            let node = try #require(InputNode.all().first { $0.name == name })
            return try KeyPort(node, keys)
        }

        private func isReadable(_ port: any InputPort) -> Bool {
            var descriptor = pollfd(fd: port.descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&descriptor, 1, 0) == 1
        }

        /// All there is to be read.
        private func rest(_ port: any InputPort) throws -> [InputReading] {
            var readings: [InputReading] = []
            repeat { readings.append(try port.read()) } while readings.last?.isLast == false
            return readings
        }

        // MARK: Keys

        @Test("A key's press and release have the kernel's instants; repeats and other keys do not arrive")
        func press() throws {
            let keys = try UinputKeys(name: name)
            defer { keys.remove() }
            let port = try port(key())
            defer { port.close() }
            #expect(try port.levels().areDown == [false])
            for value in [1, 2, 0] as [Int32] { keys.set(UinputKeys.Code.a, value) }
            #expect(!isReadable(port))
            let before = SystemClock.now
            for value in [1, 2, 0] as [Int32] { keys.set(UinputKeys.Code.power, value) }
            let after = SystemClock.now
            let edges = try rest(port).flatMap(\.edges)
            #expect(edges.map(\.isDown) == [true, false])
            // It has whole microseconds.
            #expect(edges.allSatisfy { $0.at > before - .microseconds(1) && $0.at <= after })
        }

        @Test("Other readers of the device get all of it as before")
        func shared() throws {
            let keys = try UinputKeys(name: name)
            defer { keys.remove() }
            let ports = [try port(key()), try port(key("KEY_A"), key())]
            defer { for port in ports { port.close() } }
            for key in [UinputKeys.Code.a, UinputKeys.Code.power] { keys.set(key, 1) }
            #expect(try ports.map { try rest($0).flatMap(\.edges).count } == [1, 2])
        }

        @Test("More than the kernel keeps is a gap, after which the level is the device's")
        func dropped() throws {
            let keys = try UinputKeys(name: name)
            defer { keys.remove() }
            let port = try port(key())
            defer { port.close() }
            for number in 0..<501 { keys.set(UinputKeys.Code.power, number.isMultiple(of: 2) ? 1 : 0) }
            #expect(try rest(port).contains { $0.hasGap })
            #expect(try port.levels().areDown == [true])
            keys.set(UinputKeys.Code.power, 0)
            let last = try rest(port)
            #expect(last.flatMap(\.edges).map(\.isDown) == [false])
            #expect(!last.contains { $0.hasGap })
        }

        @Test("A device that is pulled out fails the next read")
        func gone() throws {
            let keys = try UinputKeys(name: name)
            let port = try port(key())
            defer { port.close() }
            keys.remove()
            #expect(throws: InputPortError(errno: ENODEV)) { try port.read() }
        }

        // MARK: Switches and axes

        @Test("A switch and a slider are read with their levels; other switches do not arrive")
        func switches() throws {
            let slider = try UinputKeys(
                name: name, switches: [UinputKeys.Code.lid, UinputKeys.Code.mute], axis: UinputKeys.Code.soundProfile)
            defer { slider.remove() }
            let silent = try #require(InputKey(axis: "ABS_SND_PROFILE", at: 0))
            slider.toggle(UinputKeys.Code.mute, 1)
            slider.move(UinputKeys.Code.soundProfile, 2)
            let port = try port(key("SW_MUTE_DEVICE"), silent, silent.at(2))
            defer { port.close() }
            #expect(try port.levels().areDown == [true, false, true])
            slider.toggle(UinputKeys.Code.lid, 1)
            #expect(!isReadable(port))
            slider.toggle(UinputKeys.Code.mute, 0)
            slider.move(UinputKeys.Code.soundProfile, 0)
            let edges = try rest(port).flatMap(\.edges)
            #expect(edges.map { "\($0.input) \($0.isDown)" } == ["0 false", "1 true", "2 false"])
            #expect(try port.levels().areDown == [false, true, false])
        }

        @Test("More moves of a switch than the kernel keeps are a gap, after which the level is the device's")
        func droppedMoves() throws {
            let slider = try UinputKeys(name: name, switches: [UinputKeys.Code.mute])
            defer { slider.remove() }
            let port = try port(key("SW_MUTE_DEVICE"))
            defer { port.close() }
            for number in 0..<501 { slider.toggle(UinputKeys.Code.mute, number.isMultiple(of: 2) ? 1 : 0) }
            #expect(try rest(port).contains { $0.hasGap })
            #expect(try port.levels().areDown == [true])
        }

        @Test("A condition's switch that is on when it is found counts as on, also on a line; its loss is its end")
        func found() throws {
            let slider = try UinputKeys(name: name, switches: [UinputKeys.Code.mute])
            slider.toggle(UinputKeys.Code.mute, 1)
            try pull(15, up: true)
            let live = Live()
            let line = GPIOAddress(chip: "vboard", line: .offset(15))
            live.supervisor.use([
                DeviceInput(
                    .condition("silent"), InputSource(.key(DeviceMatch(name: name), try key("SW_MUTE_DEVICE")), debounce: .zero)),
                DeviceInput(.condition("docked"), InputSource(.line(line, bias: .asIs), debounce: .milliseconds(10))),
            ])
            try live.run(until: "both to be found") { Set(live.reported) == ["0 down resync", "1 down resync"] }
            slider.remove()
            try live.run(until: "the slider to be lost") { live.reported.last == "0 up lost" }
            try pull(15, up: false)
            try live.run(until: "the line to be off") { live.reported.last == "1 up edge" }
            let again = try UinputKeys(name: name, switches: [UinputKeys.Code.mute])
            defer { again.remove() }
            again.toggle(UinputKeys.Code.mute, 1)
            try live.run(until: "the slider to be on again") { live.reported.last?.hasPrefix("0 down") == true }
            live.supervisor.shutDown()
        }

        // MARK: Lines

        private func pull(_ offset: Int, up: Bool) throws {
            try Data((up ? "pull-up" : "pull-down").utf8).write(to: URL(filePath: "\(board ?? "")/sim_gpio\(offset)/pull"))
        }

        private func line(_ offset: Int, isActiveLow: Bool = false, bias: LineBias = .asIs) throws -> LinePort {
            try LinePort(GPIOAddress(chip: "vboard", line: .offset(offset), isActiveLow: isActiveLow), bias: bias, inputCount: 1)
        }

        @Test(
            "A line's edges have the kernel's instants, and are the other way round where it is active low",
            arguments: [false, true])
        func edges(isActiveLow: Bool) throws {
            try pull(10, up: isActiveLow)
            let port = try line(10, isActiveLow: isActiveLow)
            defer { port.close() }
            #expect(try port.levels().areDown == [false])
            #expect(!isReadable(port))
            let before = SystemClock.now
            try pull(10, up: !isActiveLow)
            try wait(for: "the edge") { isReadable(port) }
            let pressed = try port.read()
            #expect(pressed.edges.map(\.isDown) == [true])
            #expect(pressed.isLast)
            #expect(!pressed.hasGap)
            #expect(pressed.edges.allSatisfy { $0.at >= before && $0.at <= SystemClock.now })
            #expect(try port.levels().areDown == [true])
            try pull(10, up: isActiveLow)
            try wait(for: "the edge") { isReadable(port) }
            #expect(try port.read().edges.map(\.isDown) == [false])
        }

        @Test("The bias sets the level of a line that is not pressed")
        func bias() throws {
            for (bias, isHigh) in [(LineBias.up, true), (.down, false)] {
                let port = try line(11, bias: bias)
                #expect(try port.levels().areDown == [isHigh])
                port.close()
            }
            let port = try line(11, bias: .disabled)
            port.close()
        }

        @Test("More edges than the kernel keeps are a gap, after which the level is the line's")
        func burst() throws {
            try pull(12, up: false)
            let port = try line(12)
            defer { port.close() }
            for number in 0..<41 {
                try pull(12, up: number.isMultiple(of: 2))
                // The kernel looks at the line on a thread of its own.
                usleep(2000)
            }
            #expect(try rest(port).contains { $0.hasGap })
            #expect(try port.levels().areDown == [true])
            try pull(12, up: false)
            try wait(for: "the edge") { isReadable(port) }
            #expect(try port.read().edges.map(\.isDown) == [false])
        }

        @Test("A line that is held already is reported with who holds it")
        func busy() throws {
            let port = try line(13)
            defer { port.close() }
            #expect { try line(13) } throws: { "\($0)".contains("is held by `hapticd`") }
        }

        // MARK: All together

        /// A supervisor whose loop follows the clock.
        private final class Live {
            let loop = TestLoop()
            private(set) var changes: [InputChange] = []
            private(set) var missing: [String] = []
            private(set) var supervisor: InputSupervisor!

            init() {
                supervisor = InputSupervisor(
                    on: loop, isWatching: false,
                    listener: InputListener(
                        changed: { [unowned self] in changes += $0 },
                        isMissing: { [unowned self] in missing.append("\($0): \($1.map { "\($0)" } ?? "there")") }))
            }

            func run(until what: String, _ condition: () -> Bool) throws {
                try loop.run(until: what) {
                    loop.advance(max(.zero, SystemClock.now - loop.now))
                    return condition()
                }
            }

            func run(for time: Nanoseconds) throws {
                let end = SystemClock.now + time
                try run(until: "the time to pass") { SystemClock.now >= end }
            }

            var reported: [String] { changes.map { "\($0.input) \($0.isDown ? "down" : "up") \($0.cause)" } }
        }

        @Test("A key that is held when its device is pulled out is released, and can be pressed again when it is back")
        func replugged() throws {
            let live = Live()
            live.supervisor.use([InputSource(.key(DeviceMatch(name: name), try key()), debounce: .zero)].forHolds)
            try live.run(until: "it to be missing") { !live.missing.isEmpty }
            #expect(live.missing[0].contains("is not there; plug it in"))
            let keys = try UinputKeys(name: name)
            try live.run(until: "it to be there") { live.missing.last == "0: there" }
            keys.set(UinputKeys.Code.power, 1)
            try live.run(until: "the press") { live.reported == ["0 down edge"] }
            keys.remove()
            try live.run(until: "it to let go") { live.reported == ["0 down edge", "0 up lost"] }
            let again = try UinputKeys(name: name)
            defer { again.remove() }
            try live.run(until: "it to be back") { live.missing.last == "0: there" && live.missing.count >= 4 }
            again.set(UinputKeys.Code.power, 1)
            try live.run(until: "the press") { live.reported.count == 3 }
            live.supervisor.shutDown()
        }

        @Test("A button that bounces is one press and one release, and the loss of its chip releases it")
        func bounces() throws {
            try pull(14, up: true)
            let live = Live()
            let address = GPIOAddress(chip: "vboard", line: .offset(14), isActiveLow: true)
            live.supervisor.use([InputSource(.line(address, bias: .asIs), debounce: .milliseconds(200))].forHolds)
            try live.run(for: .milliseconds(20))
            for isUp in [false, true, false, true, false] { try pull(14, up: isUp) }
            try live.run(until: "the press") { live.reported == ["0 down edge"] }
            try live.run(for: .milliseconds(250))
            #expect(live.reported == ["0 down edge"])
            for isUp in [true, false, true] { try pull(14, up: isUp) }
            try live.run(for: .milliseconds(250))
            #expect(live.reported == ["0 down edge", "0 up edge"])
            try pull(14, up: false)
            try live.run(until: "the press") { live.reported.count == 3 }
            let config = URL(filePath: "/sys/kernel/config/gpio-sim/vboard/live")
            try Data("0".utf8).write(to: config)
            defer { try? Data("1".utf8).write(to: config) }
            // Old kernels do not say it by the line.
            live.supervisor.devicesHaveChanged()
            try live.run(until: "it to let go") { live.reported.last == "0 up lost" }
            live.supervisor.shutDown()
        }
    }
#endif
