// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticPlanning
import HapticText
import HapticWire
import Testing

@testable import HapticService

@Suite("The description of the interface")
struct DiscoveryTests {
    /// All definitions that `value` refers to.
    private func references(in value: JSONValue) -> Set<Text> {
        switch value {
        case .object(let members):
            let own: Set<Text> = if case .string(let place)? = members["$ref"] { [Text(place)] } else { [] }
            return members.values.reduce(own) { $0.union(references(in: $1)) }
        case .array(let items): return items.reduce([]) { $0.union(references(in: $1)) }
        default: return []
        }
    }

    @Test("The document describes what a pattern object may be, where its params refer to it, within a line of the daemon")
    func patterns() throws {
        let document = OpenRPC.document(version: "1")
        #expect(references(in: .array([document.methods, document.components])) == ["#/components/schemas/pattern"])
        #expect(document.components["schemas"]?["pattern"]?["anyOf"] != nil)
        guard case .array(let methods)? = Optional(document.methods) else {
            Issue.record("there are no methods")
            return
        }
        let taking = methods.filter { !references(in: $0).isEmpty }.compactMap { $0["name"] }
        #expect(taking == ["progress", "release", "event", "play", "present", "hold", "task", "transaction"])
        // The definition occurs once, however many params take a pattern.
        #expect(WireWriter.result(document).count < WireLimit.daemonLine / 4)
    }
}

@Suite("The list of motors")
struct MotorResultTests {
    @Test("A motor comes back from the wire as it was", arguments: MotorLibrary.motors)
    func roundTrip(motor: NamedMotor) {
        var model = motor.model
        #expect((MotorResult(model).model, MotorResult(model).name) == (model, motor.name))
        model.rise = Nanoseconds(87_654_321)
        model.overdrive = .init(level: Drive(clamping: 1.2), time: Nanoseconds(50_000_001))
        #expect(MotorResult(model).model == model)
    }

    @Test(
        "Values that no motor has, or that this version does not know, make no model",
        arguments: [
            { $0.kind = "piezo" }, { $0.riseMs = 0 }, { $0.riseMs = .infinity }, { $0.fallMs = .nan }, { $0.fallMs = 1e300 },
            { $0.start = 1.5 }, { $0.hold = 0.9 }, { $0.minPulseMs = -1 }, { $0.q = 3 },
            { $0.overdrive = .init(level: 7, forMs: 50) }, { $0.overdrive = .init(level: 1.2, forMs: 0) },
        ] as [@Sendable (inout MotorResult) -> Void])
    func noModel(_ change: @Sendable (inout MotorResult) -> Void) {
        var motor = MotorResult(
            kind: "erm", riseMs: 87, fallMs: 60, start: 0.4, hold: 0.2, minPulseMs: 35, resonanceHz: nil, q: nil, overdrive: nil,
            brake: false)
        #expect(motor.model != nil)
        change(&motor)
        #expect(motor.model == nil)
    }

    @Test("The list has each motor that is known, whether patterns are fitted to it or not, and what its driver can do")
    func listed() throws {
        let model = MotorLibrary.motors[0].model
        var configuration = try Bench.configuration(actuators: ["fitted", "as it is", "unknown"])
        var actuators = configuration.engine.actuators
        actuators[0].motor = model
        actuators[0].capabilities.mostDrive = Drive(clamping: 1.2)
        actuators[0].capabilities.reverses = true
        (actuators[1].motor, actuators[1].isFitted) = (model, false)
        configuration.engine = try EngineConfiguration(actuators: actuators, patterns: configuration.engine.patterns)
        configuration.assumedMotors = [ActuatorIndex(1), ActuatorIndex(2)]
        var listings = Listings()
        let list = try #require(listings.actuators(of: configuration).result as? ActuatorsResult).actuators
        #expect(list.map(\.fit) == [.auto, .off, .auto])
        #expect(list.map { $0.motor?.model } == [model, model, nil])
        #expect(list.map { $0.motor?.assumed } == [false, true, nil])
        #expect((list.map(\.mostDrive), list.map(\.reverses)) == ([1.2, 1, 1], [true, false, false]))
        #expect(list.allSatisfy { $0.shapesItself == false })
    }

    @Test("A device that reports its motor changes the list and the fitting, unless the configuration describes the motor")
    func found() throws {
        var configuration = try Bench.configuration(actuators: ["assumed", "named", "none"])
        var actuators = configuration.engine.actuators
        actuators[1].motor = MotorLibrary.coin.model
        configuration.engine = try EngineConfiguration(actuators: actuators, patterns: configuration.engine.patterns)
        configuration.assumedMotors = [ActuatorIndex(0)]
        let listed = configuration
        let bench = try Bench { $0 = listed }
        let client = try bench.connect()
        func list() -> [ActuatorResult] { bench.ask(.actuators, of: client)?.actuators ?? [] }
        #expect(list().map { $0.motor?.name } == [nil, "coin", nil])
        for index in 0..<3 {
            bench.service.setActuator(ActuatorIndex(index), .there(FoundMotor(MotorLibrary.closedLoopLRA)), at: bench.now)
        }
        #expect(list().map { $0.motor?.name } == ["closed-loop-lra", "coin", nil])
        #expect(list().map { $0.motor?.assumed } == [true, false, nil])
        #expect(list().allSatisfy { $0.shapesItself == true })
        bench.service.setActuator(ActuatorIndex(0), .missing(ActuatorFault("unplugged")), at: bench.now)
        bench.service.setActuator(ActuatorIndex(0), .there(FoundMotor(MotorLibrary.pad)), at: bench.now)
        #expect((list()[0].motor?.name, list()[0].shapesItself) == ("pad", false))
    }
}
