// SPDX-License-Identifier: MIT
import ArgumentParser
import FoundationEssentials
import HapticFormats
import HapticPatterns
import TestSupport
import Testing

@testable import HapticTerminal
@testable import hapticctl

@Suite("A pattern file in another format")
struct ConvertTests {
    private static let tap = """
        {"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 0.8}]}}]}

        """

    private func convert(_ input: String, _ output: String, _ options: String...) throws {
        var command = try HapticCtl.parseAsRoot(["convert", "-q", input, output] + options)
        try command.run()
    }

    private func refusal(_ input: String, _ output: String) -> Failure? {
        #expect(throws: Failure.self) { try convert(input, output) }
    }

    @Test("A pattern without a name gets that of its new file, and an existing file is replaced only with --force")
    func names() throws {
        try withFile("in.ahap", Self.tap) { input in
            let output = input.replacing("in.ahap", with: "tap.yaml")
            try convert(input, output)
            let first = try PatternFile.read(output)
            #expect(first.format == .yaml)
            #expect(first.pattern.name == "tap")
            #expect(first.pattern.duration == HapticEvent.transientDuration)
            let failure = refusal(input, output)
            #expect(failure?.code == .unwritable)
            #expect(failure?.message.contains("--force") == true)
            try WholeFile.write("not a pattern", to: output)
            try convert(input, output, "--force")
            #expect(try PatternFile.read(output).pattern == first.pattern)
        }
    }

    @Test("A file without an ending, old or new, gives its whole name")
    func noEnd() throws {
        try withFile("knock", Self.tap) { input in
            #expect(try PatternFile.read(input).pattern.name == "knock")
            try convert(input, input + "-tap", "--to", "yaml")
            #expect(try PatternFile.read(input + "-tap").pattern.name == "knock-tap")
        }
    }

    @Test("A pattern that uses files beside it is written only if it finds the same there")
    func uses() throws {
        func pattern(_ name: String, _ rest: String) -> String { "version: 1\nname: \(name)\n\(rest)\n" }
        let tap = "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]"
        try withFolder { folder in
            let (input, output) = ("\(folder)/knocks.yaml", "\(folder)/there/knocks.yaml")
            try FileManager.default.createDirectory(atPath: "\(folder)/there", withIntermediateDirectories: false)
            try WholeFile.write(pattern("tap", tap), to: "\(folder)/tap.yaml")
            try WholeFile.write(pattern("knocks", "compose: [{ use: tick }, { use: tap, gap: 10ms }]"), to: input)
            #expect(refusal(input, output)?.message.contains("unknown pattern `tap`") == true)
            try WholeFile.write(pattern("tap", tap.replacing("1 }", with: "0.5 }")), to: "\(folder)/there/tap.yaml")
            #expect(refusal(input, output)?.message.contains("would find other patterns beside it") == true)
            #expect(!FileManager.default.fileExists(atPath: output))
            try WholeFile.write(pattern("tap", tap), to: "\(folder)/there/tap.yaml")
            try convert(input, output)
            #expect(try PatternFile.read(output).pattern == PatternFile.read(input).pattern)
        }
    }

    @Test("A missing file is reported as a file, without suggestions of names")
    func missing() throws {
        for command in [["convert", "/no/such.yaml", "x.yaml"], ["try", "/no/such.yaml"], ["try", "success"]] {
            var parsed = try HapticCtl.parseAsRoot(command + ["-q"])
            let failure = #expect(throws: Failure.self) { try parsed.run() }
            #expect(failure?.code == .unreadable)
            #expect(failure?.message.hasSuffix(": No such file or directory; give the path of a pattern file") == true)
        }
    }

    @Test("A broken file is refused with its line, and nothing is written")
    func broken() throws {
        try withFile("in.ahap", "{\"Pattern\": [{\"Event\": 3}]}\n") { input in
            let failure = refusal(input, input + ".yaml")
            #expect(failure?.code == .invalidFile)
            #expect(failure?.lines.first?.contains("in.ahap:1:") == true)
            #expect(!FileManager.default.fileExists(atPath: input + ".yaml"))
        }
    }
}
