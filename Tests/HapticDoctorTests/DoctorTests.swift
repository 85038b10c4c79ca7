// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticWire
import TestSupport
import Testing

@testable import HapticDoctor
@testable import HapticTerminal

@Suite("The doctor's checks")
struct DoctorTests {
    @Test("On a healthy board everything is in order")
    func inOrder() {
        let findings = Checks.findings(Patient.healthy())
        #expect(findings.filter { $0.state != .ok } == [])
        #expect(Set(findings.map(\.part)) == Set(Part.allCases), "each part is reported")
        #expect(DoctorText(findings: findings, isRoot: false).verdict == "Everything is in order.")
    }

    /// A heading is a patient: a healthy board, on which that is wrong which stands between the semicolons (`PatientWords`).
    @Test("Each fault has its finding, and commands that help this user with this daemon and nobody else")
    func findings() throws {
        var cases = SnapshotCases()
        for heading in try snapshotHeadings("doctor-findings") {
            var facts = Patient.healthy()
            for words in heading.split(separator: "; ") { try Patient.apply(String(words), to: &facts) }
            let findings = Checks.findings(facts).filter { $0.kind != nil }
            let text = DoctorText(findings: findings, isRoot: facts.user.isRoot)
            // The lines leave out the texts that all findings of a kind share.
            let lines = findings.flatMap { finding in
                let row = text.row(finding)
                return ["\(row.state) \(row.finding): \(row.what)"] + row.details.map { "  | \($0)" }
                    + row.commands.map { "  $ \($0)" }
            }
            let verdict = text.verdictRow
            let last = findings.isEmpty ? text.verdict : "fix first: \(verdict.first ?? "nothing")"
            cases.add(heading, (lines + [last]).map { $0.replacing(HapticVersion.current, with: "VERSION") })
        }
        try expectSnapshot(of: cases.text, "doctor-findings")
    }

    @Test("A variable leads the user to the daemon, but not root")
    func naming() {
        #expect(Examination.naming(socket: nil, isRoot: true, variable: "/tmp/x") == .ignoredVariable("/tmp/x"))
        #expect(Examination.naming(socket: "/y", isRoot: true, variable: "/tmp/x") == .option)
        #expect(Examination.naming(socket: nil, isRoot: false, variable: "") == .nothing)
        #expect(Examination.paths(nil, .ignoredVariable("/tmp/x"), runtime: "/run/user/1000") == [Facts.systemSocket])
    }

    @Test("The command for root asks the same daemon, and does not follow the user's variables")
    func sameDaemon() {
        var facts = Patient.healthy()
        func asRoot() -> String { facts.hapticctl("doctor", asRoot: true).line(isRoot: false) }
        #expect(asRoot() == "sudo hapticctl doctor")
        facts.naming = .variable("/tmp/my sock")
        #expect(asRoot() == "sudo hapticctl doctor --socket='/tmp/my sock'")
        #expect(facts.hapticctl("status") == .user("hapticctl status"), "the variable leads the user there")
        (facts.naming, facts.daemon.socket) = (.nothing, "/run/user/1000/hapticd/hapticd.sock")
        #expect(asRoot() == "sudo hapticctl doctor --socket=/run/user/1000/hapticd/hapticd.sock")
    }

    @Test("A service that cannot be looked at is in order, with the reason")
    func unknownService() {
        var facts = Patient.healthy()
        facts.service.units = nil
        #expect(ServiceChecks.findings(facts).map(\.what) == ["not looked at: there is no systemd here"])
        facts.service.isSilent = true
        #expect(ServiceChecks.findings(facts).map(\.what) == ["not looked at: systemctl did not answer"])
    }

    @Test("systemd's answer is read by units")
    func unitText() {
        let units = ServiceQuestion.units("Id=a.service\nResult=x=y\n\nId=b.socket\nEmpty=\nnonsense\n\nNRestarts=4\n")
        #expect(units == ["a.service": ["Id": "a.service", "Result": "x=y"], "b.socket": ["Id": "b.socket", "Empty": ""]])
    }

    @Test("The doctor does not begin without the configuration that was named", arguments: ["/nowhere/x.yaml", "/dev/null/x"])
    func noFile(path: String) {
        let failure = #expect(throws: Failure.self) { try Examination(socket: nil, configurationPath: path) }
        #expect(failure?.code == .unreadable)
        #expect(failure?.message.hasPrefix("there is no \(path); ") == true)
        #expect(throws: Never.self) { try Examination(socket: nil, configurationPath: nil) }
    }

    @Test("The holders of a device are looked for only if it is busy, as the daemon reports it")
    func busy() {
        let (busy, refused) = (DriverFault(.busy(holder: nil), device: "line 3"), DriverFault(.permission, device: "line 3"))
        #expect(ActuatorFacts(name: "m", answer: Patient.answer("m", busy)).isBusy)
        #expect(!ActuatorFacts(name: "m", answer: Patient.answer("m", refused), sighting: DeviceSighting(fault: busy)).isBusy)
        #expect(ActuatorFacts(name: "m", sighting: DeviceSighting(fault: busy)).isBusy)
    }

    @Test("Each fault is recognised by its kind")
    func kinds() {
        let causes: [(DriverFault.Cause, ActuatorFault.Kind)] = [
            (.absent, .absent), (.deviceLost, .deviceLost), (.permission, .permission), (.busy(holder: nil), .busy),
            (.busy(holder: "`me`"), .busy), (.hanging, .other), (.io(errno: 5), .other), (.closed, .other),
            (.unusable(why: "it", remedy: "do"), .other), (.ambiguous(["a", "b"]), .other),
        ]
        // Whatever the words are.
        let device = "LED x is held by y; stop that"
        for (cause, kind) in causes { #expect(Patient.answer("main", DriverFault(cause, device: device)).fault == kind) }
        #expect(Patient.answer("main").fault == nil)
    }
}
