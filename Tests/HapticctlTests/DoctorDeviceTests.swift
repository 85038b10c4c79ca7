// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticWire
import Testing

@testable import hapticctl

@Suite("The doctor's look at devices")
struct DoctorDeviceTests {
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
                "printf '%s\\n' '[Service]' 'SupplementaryGroups=video' | sudo tee /etc/systemd/system/hapticd.service.d/zz-hapticd-groups.conf",
                "sudo systemctl daemon-reload", "sudo systemctl restart hapticd.service",
            ])
        for group in ["input", "root", "hapticd"] {
            facts.actuators[0].files[0].groupName = group
            #expect(Patient.kinds(facts) == [.deviceRefused], "\(group)")
        }
        facts.rulesPath = nil
        #expect(Patient.kinds(facts) == [.deviceRules])
        #expect(
            Patient.commands(.deviceRules, facts).first
                == "hapticctl actuators --scan --udev | sudo tee /etc/udev/rules.d/70-hapticd.rules")
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

    @Test("Each fault is known again by its description, whatever the device is called")
    func kinds() {
        let name = "x is not there; connect it, or run `hapticctl actuators --scan` and name what is there instead"
        for (cause, kind) in [
            (DriverFault.Cause.absent, DriverFault.Kind.absent), (.deviceLost, .deviceLost), (.permission, .permission),
            (.busy(holder: nil), .busy), (.busy(holder: "`me`"), .busy), (.hanging, .other), (.io(errno: 5), .other),
            (.closed, .other),
            (.unusable(why: "it", remedy: "do"), .other), (.ambiguous(["a", "b"]), .other),
        ] {
            #expect(DriverFault.kind(ofDescription: "\(DriverFault(cause, device: name))") == kind)
        }
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

    @Test("A profile that silences and pulses that were left out are notes")
    func feedback() {
        var facts = Patient.healthy()
        facts.daemon.status = Patient.status(profile: "silent", missed: 3)
        #expect(Patient.kinds(facts) == [.feedbackSilenced, .feedbackLate])
        #expect(DoctorText(findings: Checks.findings(facts), isRoot: false).verdict == "No problem, 2 notes.")
    }
}
