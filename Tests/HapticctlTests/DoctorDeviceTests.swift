// SPDX-License-Identifier: MIT
import HapticBackends
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
import HapticService
import HapticWire
import Testing

@testable import hapticctl

@Suite("The doctor's look at devices")
struct DoctorDeviceTests {
    @Test("Patterns of rules that no motor conveys are one finding, with the motor to tune")
    func weakPatterns() throws {
        let board = """
            version: 1
            actuators: [{ name: main, backend: simulated, motor: pinephone, fit: off }]
            events: [{ match: "key.*", pattern: tick }, { match: "done", pattern: alarm }]

            """
        var facts = Patient.healthy()
        facts.configuration.weak = try Configuration.read(yaml: Array(board.utf8), file: "hapticd.yaml").engineConfiguration()
            .weakFeedback.filter { $0.rule.hasPrefix("events") }
        let finding = try #require(Checks.findings(facts).first { $0.kind == .patternWeak })
        #expect(
            finding.details == [
                "events key.*: `tick` is too weak to be felt on main (peak 0%); raise its `intensity`, use a longer or stronger pattern, or look at `maxOn` and `fit` of the motor"
            ])
        #expect(Patient.commands(.patternWeak, facts) == ["hapticctl tune main"])
        #expect(Checks.findings(Patient.healthy()).allSatisfy { $0.kind != .patternWeak })
    }

    @Test("A missing device is named", arguments: [DriverFault.Cause.absent, .deviceLost])
    func missing(cause: DriverFault.Cause) {
        var facts = Patient.healthy()
        facts.actuators[0].answer = Patient.answer("main", DriverFault(cause, device: "LED x is held by y; stop that"))
        #expect(Patient.kinds(facts) == [.deviceMissing])
    }

    @Test("A held line is named with its holder, whom a command ends; who sees none is sent to root")
    func held() {
        var facts = Patient.healthy()
        facts.actuators[0].answer = Patient.answer("main", DriverFault(.busy(holder: "`gpioset`"), device: "GPIO line 18"))
        #expect(Patient.kinds(facts) == [.deviceHeld])
        #expect(Patient.commands(.deviceHeld, facts) == ["sudo hapticctl doctor"])
        facts.actuators[0].holders = [.init(process: 42, name: "gpioset"), .init(process: 7, name: "hapticd")]
        #expect(Patient.commands(.deviceHeld, facts) == ["sudo kill 42"], "the daemon is not to be ended")
        facts.user = UserFacts(id: 0, name: "root")
        facts.actuators[0].holders = []
        #expect(Patient.commands(.deviceHeld, facts, isRoot: true) == ["hapticctl actuators --scan"])
    }

    @Test("A refused device: without rules they are made, with rules they are applied, another group's file gets a drop-in")
    func refused() {
        var facts = Patient.healthy()
        facts.actuators[0].answer = Patient.answer(
            "main", DriverFault(.permission, device: "/sys/class/leds/x/brightness (for LED x)"))
        #expect(Patient.kinds(facts) == [.deviceRefused])
        facts.actuators[0].files = [
            FileFacts(path: "/sys/class/leds/x/brightness", group: 44, groupName: "video", mode: 0o664)
        ]
        #expect(Patient.kinds(facts) == [.deviceGroup])
        #expect(
            Patient.commands(.deviceGroup, facts) == [
                "sudo mkdir -p /etc/systemd/system/hapticd.service.d",
                "printf '%s\\n' '[Service]' 'SupplementaryGroups=video' | sudo tee /etc/systemd/system/hapticd.service.d/zz-hapticd-group-video.conf",
                "sudo systemctl daemon-reload", "sudo systemctl restart hapticd.service",
            ])
        for group in ["input", "root", "hapticd"] {
            facts.actuators[0].files[0].groupName = group
            #expect(Patient.kinds(facts) == [.deviceRefused], "\(group)")
        }
        facts.rulesPath = nil
        #expect(Patient.kinds(facts) == [.deviceRules])
        #expect(
            Patient.commands(.deviceRules, facts).prefix(2) == [
                "hapticctl actuators --scan --udev > 70-hapticd.rules",
                "[ -s 70-hapticd.rules ] && sudo install -m 644 70-hapticd.rules /etc/udev/rules.d/70-hapticd.rules",
            ])
    }

    @Test("Rules are made of the daemon's configuration only: those of another would take the place of the package's")
    func rulesOfAnother() {
        var facts = refusedFacts([])
        facts.rulesPath = nil
        func finding() -> Finding? { Checks.findings(facts).first { $0.kind == .deviceRules } }
        for state in [ConfigurationFacts.State.missing, .valid(["other"])] {
            facts.configuration.state = state
            #expect(finding()?.remedies == [] && finding()?.details.last?.contains("--config") == true, "\(state)")
        }
        facts.configuration.state = .invalid(count: 1, lines: [])
        #expect(finding()?.remedies == [] && finding()?.details.last?.contains("correct /etc/hapticd/hapticd.yaml first") == true)
        facts.configuration.state = .unreadable("permission denied")
        #expect(Patient.commands(.deviceRules, facts) == ["sudo hapticctl doctor"])
        facts.user = UserFacts(id: 0, name: "root")
        #expect(finding()?.remedies == [])
        facts.configuration.state = .valid(["main"])
        #expect(finding()?.remedies.isEmpty == false)
        facts.naming = .option
        facts.sockets[0].path = "/tmp/other"
        #expect(finding()?.remedies == [], "the file of the system's daemon is not that one's")
        facts.configuration.path = "/tmp/other.yaml"
        #expect(
            Patient.commands(.deviceRules, facts).first
                == "hapticctl actuators --scan --udev --config=/tmp/other.yaml > 70-hapticd.rules")
        // The other daemon itself has named it: anybody may run one.
        facts.configuration.isNamedByDaemon = true
        #expect(finding()?.remedies == [] && finding()?.details.last?.contains("--config") == true)
        facts.user = UserFacts(id: 1000, name: "ann")
        facts.configuration.state = .unreadable("permission denied")
        #expect(finding()?.remedies == [], "root is not sent to look at a file that somebody else names")
    }

    @Test("Each group has a drop-in of its own, so that none overwrites another; an odd name is written as its number")
    func groups() {
        let facts = refusedFacts(["video", "gpio"])
        let findings = Checks.findings(facts).filter { $0.kind == .deviceGroup }
        let writes = findings.flatMap(\.remedies).map { $0.line(isRoot: true) }.filter { $0.contains("tee") }
        let folder = "/etc/systemd/system/hapticd.service.d"
        #expect(
            writes == [
                "printf '%s\\n' '[Service]' 'SupplementaryGroups=video' | tee \(folder)/zz-hapticd-group-video.conf",
                "printf '%s\\n' '[Service]' 'SupplementaryGroups=gpio' | tee \(folder)/zz-hapticd-group-gpio.conf",
            ])
        for name in ["domain users", "../x", "1", "-", "%u", ""] {
            let command = Patient.commands(.deviceGroup, refusedFacts([name])).first { $0.contains("tee") } ?? ""
            #expect(command.contains("SupplementaryGroups=44'") && command.hasSuffix("/zz-hapticd-group-44.conf"), "\(name)")
        }
    }

    @Test("The system's unit is not changed for a daemon that is not the system's, nor one that is not there")
    func ofAnotherDaemon() {
        var facts = refusedFacts(["video"])
        facts.daemon.openFiles = 4000
        facts.naming = .option
        facts.sockets[0].path = "/tmp/other"
        #expect(Patient.kinds(facts) == [.deviceGroup, .descriptorsShort])
        #expect(Patient.commands(.deviceGroup, facts) == [] && Patient.commands(.descriptorsShort, facts) == [])
        facts = refusedFacts(["video"])
        facts.service.units = nil
        #expect(Patient.commands(.deviceGroup, facts) == [])
    }

    /// An actuator for each, which is refused a file of that group.
    private func refusedFacts(_ groups: [String]) -> Facts {
        var facts = Patient.healthy()
        let names = groups.isEmpty ? ["main"] : groups.indices.map { "m\($0)" }
        facts.configuration.state = .valid(names)
        facts.actuators = names.map {
            ActuatorFacts(name: $0, answer: Patient.answer($0, DriverFault(.permission, device: "LED x")))
        }
        for (index, group) in groups.enumerated() {
            let path = "/sys/class/leds/\(index)/brightness"
            facts.actuators[index].files = [FileFacts(path: path, group: 44, groupName: group, mode: 0o664)]
        }
        return facts
    }

    @Test("Who has a device open is looked for only where it is busy")
    func busy() {
        let busy = DriverFault(.busy(holder: nil), device: "line 3")
        var one = ActuatorFacts(name: "m", answer: Patient.answer("m", busy))
        #expect(one.isBusy)
        one.answer = Patient.answer("m", DriverFault(.permission, device: "line 3"))
        one.sighting = DeviceSighting(fault: busy)
        #expect(!one.isBusy, "the daemon's word counts")
        one.answer = nil
        #expect(one.isBusy)
    }

    @Test("What the daemon says of another fault is passed on; a simulated actuator is a note")
    func otherFaults() {
        var facts = Patient.healthy()
        facts.actuators[0].answer = Patient.answer("main", DriverFault(.hanging, device: "the pad"))
        #expect(Patient.kinds(facts) == [.deviceFailed])
        facts.actuators[0].answer = Patient.answer("main", backend: "simulated")
        #expect(Patient.kinds(facts) == [.deviceSimulated])
        #expect(!DoctorText(findings: Checks.findings(facts), isRoot: false).hasProblem)
    }

    @Test("A motor that is assumed is a note, which names the model and how to measure the motor")
    func assumedMotor() {
        var facts = Patient.healthy()
        facts.actuators[0].answer?.motor = MotorResult(MotorLibrary.coin.model, isAssumed: true)
        #expect(Patient.kinds(facts) == [.motorAssumed])
        #expect(Patient.commands(.motorAssumed, facts) == ["hapticctl tune main"])
        let text = DoctorText(findings: Checks.findings(facts), isRoot: false)
        #expect(!text.hasProblem)
        #expect(Words.assumption(facts.actuators[0].answer!)?.contains("it counts as `coin`") == true)
        facts.actuators[0].answer?.motor = MotorResult(MotorLibrary.coin.model)
        #expect(Patient.kinds(facts).isEmpty && Words.assumption(facts.actuators[0].answer!) == nil)
    }

    @Test("Without a daemon, what can be seen is said, and what cannot is not guessed")
    func withoutDaemon() {
        var facts = Patient.healthy()
        Patient.nobody(&facts)
        facts.actuators = [
            ActuatorFacts(name: "a", sighting: DeviceSighting(fault: DriverFault(.absent, device: "LED a"))),
            ActuatorFacts(name: "b", sighting: DeviceSighting(fault: DriverFault(.permission, device: "/dev/gpiochip0"))),
            ActuatorFacts(name: "c", sighting: DeviceSighting(fault: DriverFault(.busy(holder: nil), device: "line 3"))),
        ]
        #expect(Patient.kinds(facts) == [.socketMissing, .deviceMissing, .deviceHeld])
    }

    @Test("Each fault is known again by its kind, whatever it says; of a daemon that does not say it is some other")
    func kinds() {
        for (cause, kind) in [
            (DriverFault.Cause.absent, ActuatorFault.Kind.absent), (.deviceLost, .deviceLost), (.permission, .permission),
            (.busy(holder: nil), .busy), (.busy(holder: "`me`"), .busy), (.hanging, .other), (.io(errno: 5), .other),
            (.closed, .other),
            (.unusable(why: "it", remedy: "do"), .other), (.ambiguous(["a", "b"]), .other),
        ] {
            #expect(Patient.answer("main", DriverFault(cause, device: "x")).faultKind == kind)
        }
        var answer = Patient.answer("main", DriverFault(.absent, device: "x"))
        answer.fault = nil
        #expect(answer.faultKind == .other)
        #expect(Patient.answer("main").faultKind == nil)
    }
}

@Suite("The doctor's look at how the daemon runs")
struct DoctorRunningTests {
    @Test("Refused real time and memory have the daemon's words, and a drop-in with the limits")
    func realTime() {
        var facts = Patient.healthy()
        let realtime = StatusResult.Realtime(
            priority: 70, lockMemory: true, granted: .init(priority: false, lockMemory: false),
            remedies: ["no real-time priority"])
        facts.daemon.status = Patient.status(realtime: realtime)
        #expect(Patient.kinds(facts) == [.realtimeRefused])
        #expect(Patient.commands(.realtimeRefused, facts)[1].contains("LimitRTPRIO=70"))
        facts.daemon.status = Patient.status(
            realtime: .init(lockMemory: true, granted: .init(lockMemory: false), remedies: ["x"]))
        #expect(Patient.kinds(facts) == [.memoryUnlocked])
    }

    @Test("A coarse clock, little memory and few descriptors are seen")
    func machine() {
        var facts = Patient.healthy()
        facts.machine = MachineFacts(clockResolution: 4_000_000, totalMemory: 500_000, availableMemory: 9_000)
        facts.daemon.openFiles = 4000
        #expect(Patient.kinds(facts) == [.clockCoarse, .memoryShort, .descriptorsShort])
        facts = Patient.healthy()
        facts.service.units?["hapticd.service"]?["MemoryCurrent"] = "530000000"
        facts.service.units?["hapticd.service"]?["MemoryMax"] = "536870912"
        #expect(Patient.kinds(facts) == [.memoryShort])
        #expect(Patient.commands(.memoryShort, facts)[1].contains("MemoryMax=1024M"))
        facts.service.units?["hapticd.service"]?["MemoryMax"] = "infinity"
        #expect(Patient.kinds(facts) == [])
        facts.service.units?["hapticd.service"]?["MemoryMax"] = "18446744073709551615"
        #expect(Patient.kinds(facts) == [])
    }

    @Test("Feedback that is off and quiet hours are named, with the command that ends them")
    func silence() {
        var facts = Patient.healthy()
        func set(_ settings: Settings) {
            facts.daemon.status?.settings = SettingsNow(
                SettingsInForce(settings), at: .zero, LocalTime(.mon, second: 0), isKept: true)
        }
        set(Settings())
        #expect(Patient.kinds(facts) == [])
        let night = QuietHours(from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!)
        set(Settings(quietHours: [night]))
        #expect(Patient.kinds(facts) == [.feedbackQuiet])
        #expect(Patient.commands(.feedbackQuiet, facts) == ["hapticctl settings"])
        // Quiet hours change nothing where it is off.
        set(Settings(profile: .quiet, quietHours: [night], off: .until(.zero + .seconds(60))))
        #expect(Patient.kinds(facts) == [.feedbackOff])
        #expect(Patient.commands(.feedbackOff, facts) == ["hapticctl on"])
        let finding = Checks.findings(facts).first { $0.kind == .feedbackOff }
        #expect(finding?.what == "feedback is off for 1 min" && finding?.state == .note)
    }

    @Test("Settings that may not last are a problem, with what the daemon says of them")
    func unkept() {
        var facts = Patient.healthy()
        facts.daemon.status?.settings = SettingsNow(
            SettingsInForce(), at: .zero, nil, isKept: true, trouble: "the disk is full; make room")
        let finding = Checks.findings(facts).first { $0.kind == .settingsTrouble }
        #expect(finding?.details == ["the disk is full; make room"] && finding?.state == .problem)
    }

    @Test("A profile that silences and pulses that were left out are notes")
    func feedback() {
        var facts = Patient.healthy()
        facts.daemon.status = Patient.status(profile: "silent", missed: 3)
        #expect(Patient.kinds(facts) == [.feedbackSilenced, .feedbackLate])
        #expect(DoctorText(findings: Checks.findings(facts), isRoot: false).verdict == "No problem, 2 notes.")
    }
}
