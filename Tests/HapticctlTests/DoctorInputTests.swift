// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticWire
import Testing

@testable import hapticctl

@Suite("The doctor's look at keys and buttons")
struct DoctorInputTests {
    private func power(_ cause: DriverFault.Cause?, isDaemonsWord: Bool = true, isKey: Bool = true) -> Facts {
        var facts = Patient.healthy()
        let fault = cause.map { DriverFault($0, device: "KEY_POWER of gpio-keys").ofActuator }
        facts.inputs = [
            InputFacts(
                hold: "power", input: "KEY_POWER of gpio-keys", kind: isKey ? .key : .line, error: fault?.words,
                fault: fault?.kind, isDaemonsWord: isDaemonsWord)
        ]
        facts.configuration.holds = ["power"]
        return facts
    }

    @Test("A key that is not there, not the right one or held is named, and one that is read is in order")
    func inputs() {
        #expect(Patient.kinds(power(nil)) == [])
        #expect(Patient.kinds(power(.absent)) == [.inputMissing] && Patient.kinds(power(.deviceLost)) == [.inputMissing])
        #expect(Patient.commands(.inputMissing, power(.absent)) == ["cat /proc/bus/input/devices"])
        #expect(Patient.commands(.inputMissing, power(.absent, isKey: false)) == ["hapticctl actuators --scan"])
        for cause in [DriverFault.Cause.unusable(why: "it has no KEY_POWER", remedy: "x"), .busy(holder: "y"), .ambiguous([])] {
            #expect(Patient.kinds(power(cause)) == [.inputFailed])
        }
    }

    @Test("The daemon says whether it is a key, so that the right help is given to who may not read its configuration")
    func kindOfInput() {
        for (kind, command) in [
            (StatusResult.Input.Kind.key, "cat /proc/bus/input/devices"), (.line, "hapticctl actuators --scan"),
        ] {
            var facts = Patient.healthy()
            facts.configuration.state = .unreadable("permission denied")
            let fault = DriverFault(.absent, device: "it").ofActuator
            facts.inputs = [InputFacts(StatusResult.Input(hold: "power", input: "it", kind: kind, fault))]
            #expect(Patient.commands(.inputMissing, facts) == [command])
        }
    }

    @Test("Without the daemon, whether its group may read the key is looked at; of another daemon that says nothing")
    func unaskedInput() {
        for cause in [nil, DriverFault.Cause.permission] {
            var facts = power(cause, isDaemonsWord: false)
            Patient.nobody(&facts)
            func found() -> [FindingKind] { Patient.kinds(facts).filter { $0 != .socketMissing } }
            #expect(found() == [])
            facts.inputs[0].isGroupAllowed = true
            #expect(found() == [])
            facts.inputs[0].isGroupAllowed = false
            #expect(found() == [.inputRefused])
            #expect(
                Patient.commands(.inputRefused, facts).first == "hapticctl actuators --scan --udev > 70-hapticd.rules")
            facts.naming = .option
            facts.sockets[0].path = "/tmp/other"
            #expect(found() == [])
        }
        var button = power(nil, isDaemonsWord: false, isKey: false)
        button.inputs[0].isGroupAllowed = false
        #expect(Patient.commands(.inputRefused, button).first == "sudo udevadm control --reload")
    }

    @Test("A key that nobody reads because all is simulated is a note, as a motor is")
    func simulatedInput() {
        var facts = Patient.healthy()
        facts.inputs = [
            InputFacts(StatusResult.Input(hold: "power", input: "it", kind: .simulated, ActuatorFault("it is not read")))
        ]
        #expect(Patient.kinds(facts) == [.inputSimulated])
        #expect(!DoctorText(findings: Checks.findings(facts), isRoot: false).hasProblem)
    }

    @Test("A key that is refused to the daemon has its rule made, whatever rules there are; a button has those applied")
    func refusedInput() {
        let rules = "hapticctl actuators --scan --udev > 70-hapticd.rules"
        #expect(Patient.kinds(power(.permission)) == [.inputRefused])
        #expect(Patient.commands(.inputRefused, power(.permission)).first == rules)
        var button = power(.permission, isKey: false)
        #expect(Patient.commands(.inputRefused, button).first == "sudo udevadm control --reload")
        button.rulesPath = nil
        #expect(Patient.commands(.inputRefused, button).first == rules)
        var other = power(.permission)
        other.configuration.holds = []
        #expect(Patient.commands(.inputRefused, other) == [])
        #expect(Patient.kinds(power(.permission, isDaemonsWord: false)) == [], "what this user may open says nothing")
    }
}
