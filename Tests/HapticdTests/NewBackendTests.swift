// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticBoard
import HapticConfig
import HapticCore
import HapticEngine
import HapticPlanning
import HapticService
import HapticText
import Testing

@testable import hapticd

/// A kind of device that only this file knows.
private struct BuzzerBackend: Backend {
    static let name = "buzzer"
    static let isDirect = true

    static let members = Draft.keys.map(\.member)

    var pin: Int

    init?(_ fields: inout FieldReader) {
        guard let pin = fields.read(Draft.keys, from: Draft()).pin else { return nil }
        self.pin = pin
    }

    private struct Draft {
        var pin: Int?

        static let keys: [Key<Self>] = [.required("pin", .integer(in: 1...40), "of the header") { $0.pin = $1 }]
    }

    var device: String? { "buzzer at pin \(pin)" }
    var capabilities: ActuatorCapabilities { ActuatorCapabilities(variesIntensity: false, variesSharpness: false) }
    var leftover: (any Leftover)? { BuzzerLeftover(pin: pin) }

    func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        SimulatedDriver(name: parts.name, capabilities: capabilities, limits: parts.limits)
    }
}

private struct BuzzerLeftover: Leftover {
    let pin: Int
    var name: String { "buzzer at pin \(pin)" }
    var keys: [ConfigurationKey] { [ConfigurationKey("pin", .number(pin))] }

    func switchOffLeftover() throws(DriverFault) { throw DriverFault(.hanging, device: name) }
}

/// Guards nothing.
private final class IdleGuard: OutputGuard {
    func takeOver(device: String) throws(DriverFault) {}
    func hold(_ outputs: [GuardedOutput], device: String) throws(DriverFault) -> GuardedSet { GuardedSet(1) }
    func release(_ set: GuardedSet) {}
}

@Suite("A backend that only its own description knows")
struct NewBackendTests {
    private func configuration(_ keys: String) throws(InvalidDocument) -> Configuration {
        let text = "version: 1\nactuators: [{ name: door, \(keys) }]\n"
        return try Configuration.read(yaml: Array(text.utf8), file: "h.yaml", backends: [BuzzerBackend.self])
    }

    @Test("A new backend has keys of its own and the engine's limits, and the service knows its name")
    func configured() throws {
        let configuration = try configuration("backend: buzzer, pin: 7, motor: { minGap: 20ms }")
        let engine = try configuration.engineConfiguration()
        #expect(engine.actuators.map(\.capabilities.variesIntensity) == [false])
        #expect(engine.actuators.first?.limits == MotorLimits(minGap: .milliseconds(20), maxOn: .seconds(10)))
        #expect(try configuration.service(descriptors: 1024).backends == ["buzzer"])
        #expect(BuzzerBackend.members.map(\.name) == ["pin"])
        #expect(configuration.actuators != (try self.configuration("backend: buzzer, pin: 8")).actuators)
    }

    @Test("A mistake in the keys of a new backend is reported, and a kind that is not in the list is unknown")
    func mistakes() {
        func mistake(_ keys: String) -> String? {
            do throws(InvalidDocument) {
                _ = try configuration(keys)
                return nil
            } catch {
                return error.diagnostics.first?.description
            }
        }
        #expect(
            mistake("backend: buzzer, pin: 99")
                == "h.yaml:2:49: actuators[0].pin: 99 is out of range; write a whole number from 1 to 40")
        #expect(mistake("backend: gpio")?.hasSuffix("unknown backend `gpio`; there is `buzzer`") == true)
    }

    @Test("A new backend is driven, and guarded because it has a leftover")
    func driven() throws {
        let configuration = try configuration("backend: buzzer, pin: 7")
        let outputs = DrivenOutputs(path: "/nonexistent/outputs", backends: [BuzzerBackend.self])
        let board = BoardConfiguration(configuration, try configuration.engineConfiguration())
        let plan = try #require(board.plan(outputs, silentLogger).devices.first)
        #expect(plan.device == "buzzer at pin 7")
        #expect((plan.isGuarded, plan.isDirect, plan.mayHang, plan.appearsInDev) == (true, true, false, false))
        let driver = try #require(plan.makeDriver(IdleGuard()) as? SimulatedDriver)
        try driver.open(at: .zero)
        try driver.apply(Level(intensity: .one, sharpness: .zero), planned: .zero, at: .zero)
        #expect(driver.output.isOn)
        driver.close(at: .zero)
        #expect(!driver.output.isOn)
    }

    @Test("The outputs of a new backend are recorded, read again, and switched off after a daemon")
    func leftover() throws {
        let path = newPath()
        let outputs = DrivenOutputs(path: path, backends: [BuzzerBackend.self])
        defer { outputs.remove() }
        let actuators = try configuration("backend: buzzer, pin: 7").actuators
        try outputs.write(actuators)
        #expect(try outputs.read()?.map(\.name) == ["door"])
        #expect(try outputs.others(than: actuators).isEmpty)
        let failures = outputs.switchOff(besides: [], by: .distantFuture)
        try #require(failures.count == 1, "\(failures)")
        #expect(failures[0].contains("buzzer at pin 7 hangs"))
        // A daemon that does not know it has nothing to go by, and says so.
        #expect(throws: DrivenOutputs.Failure.self) { try DrivenOutputs(path: path).read() }
    }
}
