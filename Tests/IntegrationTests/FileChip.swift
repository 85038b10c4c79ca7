// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A PWM chip of plain files in a folder, with one exported channel. With `hangs`, a read of `npwm` blocks until `getOn`.
final class FileChip {
    let folder: URL
    private let hangs: Bool

    init(in temporary: TemporaryFolder, name: String = "pwmchip0", hangs: Bool = false) throws {
        folder = temporary.url.appendingPathComponent(name)
        self.hangs = hangs
        let channel = folder.appendingPathComponent("pwm0")
        try FileManager.default.createDirectory(at: channel, withIntermediateDirectories: true)
        for (file, text) in [("period", "0"), ("duty_cycle", "0"), ("enable", "0"), ("polarity", "normal")] {
            try Data("\(text)\n".utf8).write(to: channel.appendingPathComponent(file))
        }
        if hangs {
            guard mkfifo(path("npwm"), 0o600) == 0 else { throw Waited(what: "a FIFO") }
        } else {
            try Data("1\n".utf8).write(to: folder.appendingPathComponent("npwm"))
        }
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// An actuator's configuration.
    func actuator(_ name: String) -> String {
        "  - { name: \(name), backend: pwm, chip: \"\(folder.path)\", channel: 0, frequency: 1000Hz }\n"
    }

    /// The first line of `duty_cycle`: a plain file keeps the end of a longer text that was written before.
    var duty: Int {
        let text = (try? String(contentsOfFile: path("pwm0/duty_cycle"), encoding: .utf8)) ?? ""
        return Int(text.prefix { $0 != "\n" }) ?? -1
    }

    private static let outputs = ["period", "duty_cycle", "enable"]

    /// Switches the channel on, as another program may have left it.
    func switchOn() throws {
        for file in Self.outputs { try Data("1000000\n".utf8).write(to: URL(fileURLWithPath: path("pwm0/\(file)"))) }
    }

    /// Makes every write to the outputs fail.
    func spoil() throws {
        for file in Self.outputs.dropFirst().map({ path("pwm0/\($0)") }) {
            try FileManager.default.moveItem(atPath: file, toPath: file + ".good")
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/dev/full")
        }
    }

    /// Restores the files that `spoil` has replaced.
    func repair() throws {
        for file in Self.outputs.dropFirst().map({ path("pwm0/\($0)") }) {
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.moveItem(atPath: file + ".good", toPath: file)
        }
    }

    /// Ends the blocked read of `npwm`.
    func getOn() throws {
        let end = try FileHandle(forWritingTo: folder.appendingPathComponent("npwm"))
        try end.write(contentsOf: Data("1\n".utf8))
        try end.close()
    }
}

/// A daemon in mid-vibration on a `FileChip`, and the steps after its end.
struct AfterDaemon {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func configuration(_ actuators: String...) throws -> String {
        try folder.write("version: 1\nactuators:\n\(actuators.joined())", to: "hapticd.yaml")
    }

    func start(_ arguments: String...) throws -> Program {
        try Program("hapticd", arguments + ["--socket", folder.path("hapticd.sock")], in: folder)
    }

    func switchOff(_ configuration: String) throws -> EndedProgram {
        try start("--switch-off", "--config", configuration).wait()
    }

    /// Starts a daemon in mid-vibration on `chip`. Returns it with the process number of its guard.
    func shaking(_ chip: FileChip, _ configuration: String) throws -> (Daemon, guardian: Int32) {
        let daemon = try Daemon(["--config", configuration], simulate: false, in: folder)
        try shake(daemon.connect(), chip)
        return (daemon, try daemon.guardian())
    }

    func shake(_ client: Connection, _ chip: FileChip) throws {
        let steady = #"{"atMs":0,"type":"continuous","durationMs":30000,"intensity":0.7}"#
        // A daemon accepts connections before it has opened its devices.
        try wait(for: "the device to be there") {
            let result = try client.result("play", #"{"pattern":{"tracks":[{"events":[\#(steady)]}]}}"#)
            return result.object("decision").text("outcome") == "played"
        }
        try wait(for: "the channel to be on") { chip.duty > 0 }
    }

    /// Kills the daemon and its guard so that neither notices the end of the other.
    func killBoth(_ daemon: Program, _ guardian: Int32, _ chip: FileChip) throws {
        daemon.signal(SIGSTOP)
        kill(guardian, SIGKILL)
        daemon.signal(SIGKILL)
        try daemon.wait()
        #expect(chip.duty > 0, "nothing has switched it off")
    }

    /// The daemon's record of its outputs.
    var record: String { (try? folder.read("hapticd.sock.outputs")) ?? "" }
}
