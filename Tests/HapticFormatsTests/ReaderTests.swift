// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import Testing

@Suite struct ClosestMatchTests {
    @Test(arguments: [
        ("patern", "pattern"), ("sofft", "soft"), ("tikc", "tick"), ("SUCCESS", "success"), ("heavi", "heavy"),
        ("succes", "success"),
        ("sucess", "success"), ("tck", "tick"),
    ])
    func aTypoIsUnderstood(text: String, meant: String) {
        #expect(closestMatch(to: text, in: ["pattern", "soft", "tick", "success", "heavy", "release"]) == meant)
    }

    @Test(arguments: ["", "xyz", "progress", String(repeating: "a", count: 10_000)])
    func whatIsFarFromEverythingIsNot(text: String) {
        #expect(closestMatch(to: text, in: ["pattern", "soft", "tick", ""]) == nil)
    }

    @Test func theNearestWins() {
        #expect(closestMatch(to: "gestureEnt", in: ["gestureStart", "gestureEnd"]) == "gestureEnd")
    }

    @Test func withoutANearOneAllAreListed() {
        #expect(unknownMessage("key", "zzz", candidates: ["a", "b"]) == "unknown key `zzz`; there is `a`, `b`")
        #expect(unknownMessage("key", "zzz", candidates: []) == "unknown key `zzz`; there is none")
        let many = (100..<145).map { "\($0)" }
        #expect(unknownMessage("key", "zzz", candidates: many).hasSuffix("`139` and 5 more"))
    }
}

@Suite struct UnitTests {
    @Test(arguments: [
        ("20ms", 20_000_000), ("1.6s", 1_600_000_000), ("250us", 250_000), ("40ns", 40), ("0s", 0), ("-5ms", -5_000_000),
        (".5s", 500_000_000), ("1e3ms", 1_000_000_000), ("0.1ns", 0),
    ])
    func aDurationIsReadWithItsUnit(text: String, nanoseconds: Int64) {
        #expect(Nanoseconds(unitText: text) == Nanoseconds(nanoseconds))
    }

    @Test(arguments: ["20", "ms", "", "20 ms", "20m", "1.6", "infs", "nans", "1e400s", "0x10ms", "20msms", "４ms", "1e18s"])
    func whatIsNoDurationIsNotRead(text: String) { #expect(Nanoseconds(unitText: text) == nil) }

    @Test(arguments: [("200Hz", 5_000_000 as Int64), ("20kHz", 50_000), ("0.5Hz", 2_000_000_000)])
    func aFrequencyIsReadAsItsPeriod(text: String, nanoseconds: Int64) {
        #expect(Nanoseconds(periodOfFrequency: text) == Nanoseconds(nanoseconds))
    }

    @Test(arguments: ["0Hz", "-1Hz", "200", "Hz", "200hz", "1e-300Hz"])
    func whatIsNoFrequencyIsNotRead(text: String) { #expect(Nanoseconds(periodOfFrequency: text) == nil) }

    @Test(arguments: [("0.4", 0.4), ("40%", 0.4), ("100%", 1), ("0", 0), ("7%", 0.07)])
    func aShareIsReadAsANumberOrInPercent(text: String, value: Double) {
        #expect(Share(shareText: text)?.value == value)
    }

    @Test(arguments: ["1.1", "101%", "-1%", "%", "", "nan", "40 %"])
    func whatIsNoShareIsNotRead(text: String) { #expect(Share(shareText: text) == nil) }
}

@Suite struct PatternDirectoryTests {
    private func memory(_ files: [String: String]) -> FileAccess {
        FileAccess(
            read: { path, _ throws(FileAccess.Failure) in
                guard let text = files[path] else { throw FileAccess.Failure("it is gone") }
                return Array(text.utf8)
            },
            list: { _ throws(FileAccess.Failure) in files.keys.map { String($0.dropFirst(3)) } + ["gone.yaml"] })
    }

    private func pattern(_ name: String) -> String {
        "version: 1\nname: \(name)\ntracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]"
    }

    @Test func allPatternFilesAreReadInTheOrderOfTheirNames() throws {
        let files = memory([
            "/p/b.yaml": pattern("b"), "/p/a.yaml": pattern("a"), "/p/c.yaml": pattern("x"), "/p/.d.yaml": "?", "/p/e.ahap": "?",
        ])
        let directory = try PatternDirectory(path: "/p", files: files)
        #expect(directory.patterns.map(\.name) == ["a", "b"])
        #expect(directory.names == ["a", "b", "c", "gone"])
        #expect(
            directory.diagnostics.map(\.description) == [
                "/p/c.yaml:2:7: name: the name `x` and the file `c.yaml` differ; give both the same name",
                "/p/gone.yaml: cannot read the file: it is gone",
            ])
    }

    @Test func tooManyFilesAreRefused() {
        let files = FileAccess(
            read: { _, _ throws(FileAccess.Failure) in throw FileAccess.Failure("not to be read") },
            list: { _ throws(FileAccess.Failure) in (0...1024).map { "\($0).yaml" } })
        #expect(throws: FileAccess.Failure("it has 1025 pattern files; at most 1024 are read")) {
            try PatternDirectory(path: "/p", files: files)
        }
    }

    @Test func theDiskIsReadWithinBoundsAndOnlyFilesAre() throws {
        #expect(try FileAccess.disk.read(#filePath, 1 << 20).starts(with: Array("// SPDX".utf8)))
        #expect(try FileAccess.disk.list("/").contains("etc"))
        #expect(throws: FileAccess.Failure("it has more than 10 bytes")) { try FileAccess.disk.read(#filePath, 10) }
        #expect(throws: FileAccess.Failure("it is not a regular file")) { try FileAccess.disk.read("/dev/zero", 10) }
        #expect(throws: FileAccess.Failure("it is not a regular file")) { try FileAccess.disk.read("/", 10) }
        #expect(throws: FileAccess.Failure("No such file or directory")) { try FileAccess.disk.read("/no/such/file", 10) }
        #expect(throws: FileAccess.Failure("No such file or directory")) { try FileAccess.disk.list("/no/such/directory") }
    }
}
