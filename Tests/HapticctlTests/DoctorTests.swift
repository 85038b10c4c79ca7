// SPDX-License-Identifier: MIT
import HapticClient
import HapticWire
import Testing

@testable import hapticctl

@Suite("The doctor's checks")
struct DoctorTests {
    @Test("On a healthy board everything is in order")
    func inOrder() {
        let findings = Checks.findings(Patient.healthy())
        #expect(findings.allSatisfy { $0.state == .ok })
        #expect(Set(findings.map(\.part)) == Set(Part.allCases), "each part is spoken of")
        let text = DoctorText(findings: findings, isRoot: false)
        #expect(text.verdict == "Everything is in order." && !text.hasProblem)
    }

    // MARK: The way to the daemon

    @Test("A stranger learns the name of the group")
    func stranger() {
        var facts = Patient.healthy()
        Patient.nobody(&facts)
        facts.user.groups = [1000]
        facts.user.groupsAtLogin = [1000]
        facts.sockets = [SocketFacts(path: Facts.systemSocket, file: Patient.socketFile(), outcome: .refused)]
        #expect(Patient.kinds(facts) == [.socketGroup])
        #expect(Patient.commands(.socketGroup, facts) == ["sudo usermod -aG haptics ada", "newgrp haptics"])
    }

    @Test("A member who has not logged in again learns that")
    func notLoggedIn() {
        var facts = Patient.healthy()
        Patient.nobody(&facts)
        facts.user.groups = [1000]
        facts.sockets = [SocketFacts(path: Facts.systemSocket, file: Patient.socketFile(), outcome: .refused)]
        #expect(Patient.kinds(facts) == [.socketLogin])
        #expect(Patient.commands(.socketLogin, facts) == ["newgrp haptics"])
    }

    @Test("Nobody is sent into the daemon's own group, or root's", arguments: ["hapticd", "root", nil])
    func neverTheDaemonsGroup(group: String?) {
        var facts = Patient.healthy()
        Patient.nobody(&facts)
        var file = Patient.socketFile()
        (file.group, file.groupName) = (77, group)
        facts.sockets = [SocketFacts(path: Facts.systemSocket, file: file, outcome: .refused)]
        #expect(Patient.kinds(facts) == [.socketRights])
        #expect(!Patient.commands(.socketRights, facts).contains { $0.contains("usermod") })
    }

    @Test("A socket that its group may not use is no matter of the group")
    func closedMode() {
        var facts = Patient.healthy()
        Patient.nobody(&facts)
        var file = Patient.socketFile()
        file.mode = 0o600
        facts.sockets = [SocketFacts(path: Facts.systemSocket, file: file, outcome: .refused)]
        #expect(Patient.kinds(facts) == [.socketRights])
    }

    @Test("A variable that leads nowhere is to be unset; root ignores it, and says so")
    func variable() {
        var facts = Patient.healthy()
        Patient.nobody(&facts)
        facts.naming = .variable("/tmp/other.sock")
        facts.sockets = [SocketFacts(path: "/tmp/other.sock")]
        #expect(Patient.kinds(facts) == [.socketVariable])
        #expect(Patient.commands(.socketVariable, facts) == ["unset HAPTICD_SOCKET"])
        #expect(Examination.naming(socket: nil, isRoot: true, variable: "/tmp/x") == .ignoredVariable("/tmp/x"))
        #expect(Examination.naming(socket: "/y", isRoot: true, variable: "/tmp/x") == .option)
        #expect(Examination.naming(socket: nil, isRoot: false, variable: "") == .nothing)
        let paths = Examination.paths(nil, .ignoredVariable("/tmp/x"), runtime: "/run/user/1000")
        #expect(paths == [Facts.systemSocket], "nor is root led by the runtime folder")
        facts = Patient.healthy()
        facts.naming = .ignoredVariable("/tmp/x $(id)")
        #expect(Patient.kinds(facts) == [.socketIgnored])
        #expect(Patient.commands(.socketIgnored, facts, isRoot: true) == ["hapticctl doctor --socket='/tmp/x $(id)'"])
    }

    @Test("No socket, a stale one and something else in its place are three things")
    func noSocket() {
        var facts = Patient.healthy()
        Patient.nobody(&facts)
        #expect(Patient.kinds(facts) == [.socketMissing])
        facts.sockets[0].file = Patient.socketFile()
        #expect(Patient.kinds(facts) == [.socketStale])
        #expect(Patient.commands(.socketStale, facts) == ["sudo systemctl restart hapticd.socket"])
        facts.sockets[0].file?.isSocket = false
        #expect(Patient.kinds(facts) == [.socketForeign])
        #expect(
            Patient.commands(.socketForeign, facts).contains("sudo mv -n /run/hapticd/hapticd.sock /run/hapticd/hapticd.sock.old")
        )
    }

    @Test("A daemon that does not answer, or is of another version, is to be started again")
    func daemon() {
        var facts = Patient.healthy()
        facts.daemon.status = nil
        facts.daemon.failure = .init(ClientError.timedOut)
        facts.actuators = []
        #expect(Patient.kinds(facts) == [.daemonSilent])
        facts.daemon.failure = .init(ClientError.notUnderstood("hello"))
        #expect(Patient.kinds(facts) == [.daemonStrange], "it did say something")
        facts = Patient.healthy()
        facts.daemon.status?.version = "0.0.9"
        #expect(Patient.kinds(facts) == [.daemonVersion])
        #expect(Patient.commands(.daemonVersion, facts) == ["sudo systemctl restart hapticd.service"])
        #expect(Patient.commands(.daemonVersion, facts, isRoot: true) == ["systemctl restart hapticd.service"])
    }

    // MARK: The service

    @Test("A stopped, a masked and a failed service are three findings; disabled ones are named")
    func service() {
        var facts = Patient.healthy()
        Patient.nobody(&facts)
        facts.service.units = Patient.units(socket: "inactive", daemon: "inactive")
        #expect(Patient.kinds(facts) == [.socketMissing, .serviceStopped])
        #expect(Patient.commands(.serviceStopped, facts) == ["sudo systemctl start hapticd.socket"])
        facts.service.units?["hapticd.socket"]?["LoadState"] = "masked"
        #expect(Patient.commands(.serviceStopped, facts).first == "sudo systemctl unmask hapticd.socket")
        facts.service.units = Patient.units(socket: "failed", daemon: "failed")
        facts.service.lastError = "hapticd.yaml:3:29: unknown backend"
        #expect(Patient.kinds(facts) == [.socketMissing, .serviceFailed])
        #expect(Checks.findings(facts).contains { $0.details == ["its log: hapticd.yaml:3:29: unknown backend"] })
        facts = Patient.healthy()
        facts.service.units = Patient.units(file: "disabled")
        #expect(Patient.kinds(facts) == [.serviceDisabled])
        facts.service.units?["hapticd.socket"]?["UnitFileState"] = "enabled"
        #expect(Patient.kinds(facts) == [], "the socket alone starts the daemon")
    }

    @Test("A service that is not installed matters only where no daemon answers; restarts are a note")
    func noUnits() {
        var facts = Patient.healthy()
        facts.service.units = ["hapticd.service": ["LoadState": "not-found"], "hapticd.socket": ["LoadState": "not-found"]]
        #expect(Patient.kinds(facts) == [])
        Patient.nobody(&facts)
        #expect(Patient.kinds(facts) == [.socketMissing, .serviceMissing])
        facts = Patient.healthy()
        facts.service.units?["hapticd.service"]?["NRestarts"] = "3"
        #expect(Patient.kinds(facts) == [.serviceRestarts])
        #expect(!DoctorText(findings: Checks.findings(facts), isRoot: false).hasProblem)
        facts.service.units = nil
        #expect(Patient.kinds(facts) == [], "no systemd is no fault")
        #expect(Checks.service(facts).map(\.what) == ["not looked at: there is no systemd here"])
        facts.service.isSilent = true
        #expect(Checks.service(facts).map(\.what) == ["not looked at: systemctl did not answer"])
    }

    @Test("systemd's answer is read by units")
    func unitText() {
        let text = "Id=a.service\nResult=x=y\n\nId=b.socket\nEmpty=\nnonsense\n\nNRestarts=4\n"
        #expect(
            ServiceQuestion.units(text) == [
                "a.service": ["Id": "a.service", "Result": "x=y"], "b.socket": ["Id": "b.socket", "Empty": ""],
            ])
    }

    // MARK: The configuration

    @Test("A bad file is what is fixed first, though it has stopped the service and the socket")
    func badFile() {
        var facts = Patient.healthy()
        Patient.nobody(&facts)
        facts.service.units = Patient.units(socket: "failed", daemon: "failed")
        facts.configuration.state = .invalid(count: 1, lines: ["hapticd.yaml:2:1: unknown key"])
        facts.configuration.path = "/tmp/it's mine.yaml"
        let row = DoctorText(findings: Checks.findings(facts), isRoot: false).verdictRow
        #expect(row.first == "configuration.invalid" && row.problems == 3)
        #expect(Patient.commands(.configurationInvalid, facts).contains(#"hapticctl check-config '/tmp/it'\''s mine.yaml'"#))
        facts.configuration.state = .unreadable("permission denied")
        #expect(
            Patient.commands(.configurationUnreadable, facts) == [#"sudo hapticctl doctor --config='/tmp/it'\''s mine.yaml'"#])
        facts.user = UserFacts(id: 0, name: "root")
        #expect(Patient.commands(.configurationUnreadable, facts, isRoot: true) == [], "root would see no more")
    }

    @Test("Who asks again as root asks the same daemon, where no variable of the user's leads root")
    func sameDaemon() {
        var facts = Patient.healthy()
        #expect(facts.hapticctl("doctor", asRoot: true).line(isRoot: false) == "sudo hapticctl doctor")
        facts.naming = .variable("/tmp/my sock")
        #expect(facts.hapticctl("doctor", asRoot: true).line(isRoot: false) == "sudo hapticctl doctor --socket='/tmp/my sock'")
        #expect(facts.hapticctl("status") == .user("hapticctl status"), "the variable leads the user there")
        (facts.naming, facts.daemon.socket) = (.nothing, "/run/user/1000/hapticd/hapticd.sock")
        #expect(
            facts.hapticctl("doctor", asRoot: true).line(isRoot: false)
                == "sudo hapticctl doctor --socket=/run/user/1000/hapticd/hapticd.sock")
        facts.naming = .option
        facts.sockets[0].path = "/tmp/x"
        facts.configuration.state = .unreadable("permission denied")
        #expect(Patient.commands(.configurationUnreadable, facts) == ["sudo hapticctl doctor --socket=/tmp/x"])
    }

    @Test("A configuration that was named and is not there is no finding: the doctor does not begin")
    func noFile() {
        for path in ["/nowhere/x.yaml", "/dev/null/x"] {
            let failure = #expect(throws: Failure.self) { try Examination(socket: nil, configurationPath: path) }
            #expect(failure?.code == .unreadable && failure?.message.hasPrefix("there is no \(path); ") == true)
        }
        #expect(throws: Never.self) { try Examination(socket: nil, configurationPath: nil) }
    }

    @Test("A daemon that answers, but does not give its last decisions, is named")
    func noHistory() {
        var facts = Patient.healthy()
        facts.daemon.historyFailure = .init(ClientError.timedOut)
        #expect(Patient.kinds(facts) == [.daemonSilent])
        #expect(Checks.findings(facts).first { $0.kind == .daemonSilent }?.what.hasPrefix("the last decisions: ") == true)
        facts.daemon.historyFailure = .init(ClientError.notUnderstood("hello"))
        #expect(Patient.kinds(facts) == [.daemonStrange])
    }

    @Test("What the daemon refuses is no silence: its words say to whom it is kept, and no restart is offered")
    func refused() {
        var facts = Patient.healthy()
        let kept = "the history is kept to group `staff`, root and the user that hapticd runs as; ask one of them"
        facts.daemon.historyFailure = .init(.refused(WireError(.notAllowed, kept)))
        #expect(Patient.kinds(facts) == [.daemonRefused])
        #expect(Checks.findings(facts).contains { $0.what == "the last decisions: \(kept)" })
        #expect(Patient.commands(.daemonRefused, facts) == ["sudo hapticctl doctor"])
        facts.user = UserFacts(id: 0, name: "root")
        #expect(Patient.commands(.daemonRefused, facts, isRoot: true) == [])
        facts = Patient.healthy()
        facts.daemon.status = nil
        facts.daemon.failure = .init(.refused(WireError(.quota, "more than 2 requests a second; try again in 500 ms")))
        facts.actuators = []
        #expect(Patient.kinds(facts) == [.daemonRefused])
        #expect(Patient.commands(.daemonRefused, facts) == [], "root may do no more")
    }

    @Test("The file that the daemon runs with is compared with the one that was looked at")
    func runningFile() {
        var facts = Patient.healthy()
        let path = facts.configuration.path
        func found(_ running: ConfigurationFacts.Running, _ state: ConfigurationFacts.State) -> (String?, [String]) {
            (facts.configuration.running, facts.configuration.state) = (running, state)
            let finding = Checks.findings(facts).first { $0.kind == .configurationOther }
            return (finding?.what, Patient.commands(.configurationOther, facts))
        }
        let valid = ConfigurationFacts.State.valid(["main"])
        #expect(found(.thisFile, valid) == (nil, []))
        #expect(found(.builtIn, .missing) == (nil, []))
        #expect(
            found(.thisFile, .missing)
                == ("there is no \(path) any more; the daemon still runs with what it read there", ["hapticctl reload"]))
        #expect(
            found(.builtIn, valid)
                == ("the daemon runs with the built-in configuration, not with \(path)", ["hapticctl reload"]))
        #expect(
            found(.otherFile("/srv/my file"), valid)
                == ("the daemon runs with /srv/my file, not with \(path)", ["hapticctl doctor --config='/srv/my file'"]))
        facts.configuration.state = .invalid(count: 1, lines: [])
        #expect(Patient.kinds(facts) == [.configurationInvalid, .configurationOther], "both are said")
        // A daemon of another place runs with what it likes, unless its file was named, or is this one.
        facts.naming = .option
        facts.sockets[0].path = "/tmp/x.sock"
        facts.daemon.socket = "/tmp/x.sock"
        #expect(found(.otherFile("/srv/x"), valid) == (nil, []))
        #expect(found(.thisFile, .missing).0 != nil)
    }

    @Test("A daemon with other actuators than the file's has not read it; a daemon of another place is not compared")
    func otherFile() {
        var facts = Patient.healthy()
        facts.configuration.state = .valid(["main", "left"])
        #expect(Patient.kinds(facts) == [.configurationOther])
        #expect(Patient.commands(.configurationOther, facts) == ["hapticctl reload"])
        facts.naming = .option
        facts.sockets[0].path = "/tmp/my sock"
        facts.daemon.socket = "/tmp/my sock"
        #expect(Patient.kinds(facts) == [])
        facts.configuration.path = "./mine.yaml"
        #expect(Patient.commands(.configurationOther, facts) == ["hapticctl reload --socket='/tmp/my sock'"])
    }
}
