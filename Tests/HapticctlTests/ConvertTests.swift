// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticFormats
import HapticPatterns
import Testing

@testable import hapticctl

@Suite("A pattern file in another format")
struct ConvertTests {
    /// A folder of its own; what is in it is removed.
    private func withFolder(_ body: (String) throws -> Void) throws {
        var folder = Array("/tmp/hapticctl-convert-XXXXXX".utf8CString)
        let made = folder.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } }
        let path = try #require(made)
        defer {
            for name in ["in.ahap", "tap.yaml", "knock", "tap", "there/knocks.yaml", "there/tap.yaml", "knocks.yaml"] {
                unlink("\(path)/\(name)")
            }
            rmdir("\(path)/there")
            rmdir(path)
        }
        try body(path)
    }

    private static let tap = """
        {"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 0.8}]}}]}

        """

    private func convert(_ arguments: String...) throws {
        var command = try HapticCtl.parseAsRoot(["convert", "-q"] + arguments)
        try command.run()
    }

    @Test("A pattern that has no name is called as its new file, which is left as it is unless --force")
    func names() throws {
        try withFolder { folder in
            let (input, output) = ("\(folder)/in.ahap", "\(folder)/tap.yaml")
            try WholeFile.write(Self.tap, to: input)
            try convert(input, output)
            let first = try PatternFile.read(output)
            #expect(
                first.format == .yaml && first.pattern.name == "tap" && first.pattern.duration == HapticEvent.transientDuration)
            let failure = #expect(throws: Failure.self) { try convert(input, output) }
            #expect(failure?.code == .unwritable && failure?.message.contains("--force") == true)
            try WholeFile.write("not a pattern", to: output)
            try convert(input, output, "--force")
            #expect(try PatternFile.read(output).pattern == first.pattern)
        }
    }

    @Test("A file without an end is called as it is, a new one, too")
    func noEnd() throws {
        try withFolder { folder in
            let input = "\(folder)/knock"
            try WholeFile.write(Self.tap, to: input)
            #expect(try PatternFile.read(input).pattern.name == "knock")
            try convert(input, "\(folder)/tap", "--to", "yaml")
            #expect(try PatternFile.read("\(folder)/tap").pattern.name == "tap")
        }
    }

    @Test("What uses files beside it is written only where it finds them")
    func uses() throws {
        func pattern(_ name: String, _ rest: String) -> String { "version: 1\nname: \(name)\n\(rest)\n" }
        let tap = "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]"
        try withFolder { folder in
            let (input, output) = ("\(folder)/knocks.yaml", "\(folder)/there/knocks.yaml")
            mkdir("\(folder)/there", 0o700)
            try WholeFile.write(pattern("tap", tap), to: "\(folder)/tap.yaml")
            try WholeFile.write(pattern("knocks", "compose: [{ use: tick }, { use: tap, gap: 10ms }]"), to: input)
            func refusal() -> String { #expect(throws: Failure.self) { try convert(input, output) }?.message ?? "" }
            #expect(refusal().contains("unknown pattern `tap`"))
            try WholeFile.write(pattern("tap", tap.replacing("1 }", with: "0.5 }")), to: "\(folder)/there/tap.yaml")
            #expect(refusal().contains("would find other patterns beside it"))
            #expect(access(output, F_OK) != 0)
            try WholeFile.write(pattern("tap", tap), to: "\(folder)/there/tap.yaml")
            try convert(input, output)
            #expect(try PatternFile.read(output).pattern == PatternFile.read(input).pattern)
        }
    }

    @Test("A file that is not there is missed as one: no name would do")
    func missing() throws {
        for command in [["convert", "/no/such.yaml", "x.yaml"], ["try", "/no/such.yaml"], ["try", "success"]] {
            var parsed = try HapticCtl.parseAsRoot(command + ["-q"])
            let failure = #expect(throws: Failure.self) { try parsed.run() }
            #expect(failure?.code == .unreadable)
            #expect(failure?.message.hasSuffix(": No such file or directory; give the path of a pattern file") == true)
        }
    }

    @Test("What is broken is refused with its line, and nothing is written")
    func broken() throws {
        try withFolder { folder in
            try WholeFile.write("{\"Pattern\": [{\"Event\": 3}]}\n", to: "\(folder)/in.ahap")
            let failure = #expect(throws: Failure.self) { try convert("\(folder)/in.ahap", "\(folder)/tap.yaml") }
            #expect(failure?.code == .invalidFile && failure?.lines.first?.contains("in.ahap:1:") == true)
            #expect(access("\(folder)/tap.yaml", F_OK) != 0)
        }
    }

    @Test(
        "A format that nothing says is a wrong command line",
        arguments: [
            ["x.yaml", "y.hjif"], ["x.yaml", "y", "--to", "hjif"], ["x.yaml", "y"], ["x.yaml", "-"], ["x.yaml", "y.wav"],
            ["x.yaml", "-", "--to", "mp3"],
            ["", "y.yaml"],
        ])
    func usage(arguments: [String]) {
        do {
            _ = try HapticCtl.parseAsRoot(["convert"] + arguments)
            Issue.record("\(arguments) was accepted")
        } catch {
            #expect(Program.status(of: error) == ExitStatus.usage)
        }
    }
}
