// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// What tests of `hapticd --switch-off` share: a daemon in mid-vibration in a folder, and what is done after it.
protocol AfterDaemon {
    var folder: TemporaryFolder { get }
}

extension AfterDaemon {
    func switchOff(_ configuration: String) throws -> EndedProgram {
        try Program(
            "hapticd", ["--switch-off", "--config", configuration, "--socket", folder.path("hapticd.sock")], in: folder
        ).wait()
    }

    func configuration(_ actuators: String...) throws -> String {
        try folder.write("version: 1\nactuators:\n\(actuators.joined())", to: "hapticd.yaml")
    }

    /// A daemon in mid-vibration on `chip`, and its guard's process.
    func shaking(_ chip: FileChip, _ configuration: String) throws -> (Daemon, guardian: Int32) {
        let daemon = try Daemon(["--config", configuration], simulate: false, in: folder)
        let steady = #"{"atMs":0,"type":"continuous","durationMs":30000,"intensity":0.7}"#
        let result = try daemon.connect().result("play", #"{"pattern":{"tracks":[{"events":[\#(steady)]}]}}"#)
        #expect(result.object("decision").text("outcome") == "played", "\(result)")
        try wait(for: "the channel to be on") { chip.duty > 0 }
        let guardian = try #require(children(of: daemon.program.processIdentifier).first)
        return (daemon, guardian)
    }

    /// Kills daemon and guard so that neither sees the other's end.
    func killBoth(_ daemon: Daemon, _ guardian: Int32) throws {
        daemon.program.signal(SIGSTOP)
        kill(guardian, SIGKILL)
        _ = try daemon.stop(SIGKILL)
    }

    var record: String { (try? String(contentsOfFile: folder.path("hapticd.sock.outputs"), encoding: .utf8)) ?? "" }

    func isZombie(_ process: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        return status.contains("State:\tZ")
    }
}
