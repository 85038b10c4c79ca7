// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import HapticYAML
import Testing

@Suite("Consequences of a mistake")
struct ConsequenceTests {
    private static func clip(_ amplitude: String, version: Int = 1) -> String {
        #"{"version":{"major":\#(version)},"signals":{"continuous":{"envelopes":{"amplitude":[\#(amplitude)]}}}}"#
    }

    /// Files of other formats, with the path of the only mistake.
    static let cases: [(file: String, text: String, path: String)] = [
        (
            "x.haptic", clip(#"{"time":0,"amplitude":0.5},{"time":"late","amplitude":0.5}"#),
            "signals.continuous.envelopes.amplitude[1].time"
        ),
        (
            "x.haptic", clip(#"{"time":0.1,"amplitude":0.5},{"time":"late","amplitude":0.5},{"time":1,"amplitude":0}"#),
            "signals.continuous.envelopes.amplitude[1].time"
        ),
        ("x.haptic", clip(#"{"time":0}"#), "signals.continuous.envelopes.amplitude[0]"),
        (
            "x.haptic", clip(#"{"time":0,"amplitude":0.5,"emphasis":{"amplitude":2,"frequency":1}}"#),
            "signals.continuous.envelopes.amplitude[0].emphasis.amplitude"
        ),
        ("x.haptic", clip(#"{"time":0,"amplitude":1}"#, version: 2), "version.major"),
    ]

    /// The text behind the name in a file of ours, with the path of the only mistake.
    static let ours: [(text: String, path: String)] = [
        ("trakcs: []", "trakcs"),
        ("tracks: [{ keyframs: [] }]", "tracks[0].keyframs"),
        ("phases: [{ usee: soft }]", "phases[0].usee"),
        ("phases: [{ use: soft, untli: released, upTo: 3s }]", "phases[0].untli"),
        ("compose: [{ use: soft, repat: 3, every: 100ms }]", "compose[0].repat"),
        ("compose: [{ use: soft, repeat: 0 }]", "compose[0].repeat"),
        ("compose: [{ use: soft, every: 0ms }]", "compose[0].every"),
        ("compose: [{ use: soft }]\ntransition: { respons: 0.2, dampingFraction: 0.8 }", "transition.respons"),
    ]

    @Test("A mistake in our own format is reported without its consequences", arguments: ours)
    func inOurs(text: String, path: String) {
        #expect(diagnostics(of: "version: 1\nname: x\n\(text)\n", file: "x.yaml").map(\.path) == [path])
    }

    @Test("An unknown key without a suggestion does not hide a missing key")
    func unrelated() {
        let found = diagnostics(of: "version: 1\nname: x\nphases: [{ zzzzzzzz: 1 }]\n", file: "x.yaml")
        #expect(found.map(\.path) == ["phases[0]", "phases[0].zzzzzzzz"])
    }

    @Test("A mistake in another format is reported without its consequences", arguments: cases)
    func others(file: String, text: String, path: String) {
        #expect(diagnostics(of: text, file: file).map(\.path) == [path])
    }
}

@Suite struct PatternDirectoryTests {
    private func memory(_ files: [String: String]) -> FileAccess {
        FileAccess(
            read: { _, _ throws(FileAccess.Failure) in throw FileAccess.Failure("not to be read") },
            directory: { path throws(FileAccess.Failure) in
                FileAccess.Directory(names: files.keys.map { String($0.dropFirst(3)) } + ["gone.yaml"]) {
                    name, _ throws(FileAccess.Failure) in
                    guard let text = files["\(path)/\(name)"] else { throw FileAccess.Failure("it is gone") }
                    return Array(text.utf8)
                }
            })
    }

    private func pattern(_ name: String) -> String {
        "version: 1\nname: \(name)\ntracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]"
    }

    @Test("All pattern files are read, in the order of their names")
    func order() throws {
        let files = memory([
            "/p/b.yaml": pattern("b"), "/p/a.yaml": pattern("a"), "/p/c.yaml": pattern("x"), "/p/.d.yaml": "?", "/p/e.json": "?",
            "/p/f.ahap": #"{"Pattern":[{"Event":{"EventType":"HapticTransient"}},{"Event":{"EventType":"AudioCustom"}}]}"#,
            "/p/g.ahap": "?", "/p/g.yaml": "?",
        ])
        let directory = try PatternDirectory(path: "/p", files: files)
        #expect(directory.patterns.map(\.name) == ["a", "b", "f"])
        #expect(directory.names == ["a", "b", "c", "f", "g", "gone"])
        #expect(
            directory.diagnostics.map(\.description) == [
                "/p/c.yaml:2:7: name: the name `x` and the file `c.yaml` differ; give both the same name",
                "/p/g.ahap: `g.yaml` holds the pattern `g`, too; keep one of these files",
                "/p/gone.yaml: cannot read the file: it is gone",
            ])
        #expect(
            directory.notes.map(\.description) == [
                "/p/f.ahap:1:64: Pattern[1].Event: left out: the sound, an event of the type `AudioCustom`; no sounds are played"
            ])
    }

    @Test("Two long file names that begin alike would be one pattern, which is an error; a single one is cut and noted")
    func longNames() throws {
        let (name, tap) = (String(repeating: "n", count: 128), #"{"Pattern":[{"Event":{"EventType":"HapticTransient"}}]}"#)
        let one = try PatternDirectory(path: "/p", files: memory(["/p/\(name)1.ahap": tap]))
        #expect(one.patterns.map(\.name) == [name])
        #expect(one.notes.map(\.message) == ["the file's name is too long for a pattern, which is called by its first 128 bytes"])
        let two = try PatternDirectory(path: "/p", files: memory(["/p/\(name)1.ahap": tap, "/p/\(name)2.ahap": tap]))
        #expect(two.patterns.isEmpty)
        #expect(two.diagnostics.contains { $0.message.hasPrefix("`\(name)2.ahap` holds the pattern ") })
    }

    @Test("A directory of too many files is refused")
    func tooMany() {
        let files = FileAccess(
            read: { _, _ throws(FileAccess.Failure) in throw FileAccess.Failure("not to be read") },
            directory: { _ throws(FileAccess.Failure) in
                FileAccess.Directory(names: (0...1024).map { "\($0).yaml" }) { _, _ throws(FileAccess.Failure) in
                    throw FileAccess.Failure("not to be read")
                }
            })
        #expect(throws: FileAccess.Failure("it has 1025 pattern files; at most 1024 are read")) {
            try PatternDirectory(path: "/p", files: files)
        }
    }
}

/// Patterns are converted to the means of other formats.
struct PlainPatternTests {
    private func tap(_ intensity: Double, at: Nanoseconds = .zero) -> HapticEvent {
        HapticEvent(at: at, kind: .transient, intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: 0.5))
    }

    @Test("A composed pattern is felt the same from a file that has no parts", arguments: [PatternFormat.ahap, .haptic])
    func composedFelt(_ format: PatternFormat) throws {
        let swell = [
            Keyframe(at: .zero, intensity: .zero, sharpness: .zero),
            Keyframe(at: .milliseconds(100), intensity: .one, sharpness: .one),
        ]
        let used = try Pattern(name: "used", tracks: [.keyframes(swell, gain: Intensity(clamping: 0.6))])
        let pattern = try Pattern(
            name: "composed",
            parts: [
                .init(used),
                .init(
                    used, .gap(.milliseconds(50)), intensity: Intensity(clamping: 0.5), repetitions: 2,
                    interval: .milliseconds(150)),
            ])
        let file = try PatternFiles.write(pattern, as: format)
        #expect(file.losses.contains { $0.hasPrefix("What it is composed of becomes one curve") })
        let read = try PatternFiles.read(Array(file.text.utf8), file: "composed.\(format.rawValue)").pattern
        // At the frames between the jumps.
        for offset in stride(from: Int64(2), to: 400, by: 5).map(Nanoseconds.milliseconds) {
            let (wanted, found) = (pattern.level(at: offset), read.level(at: offset))
            #expect(abs(wanted.intensity.value - found.intensity.value) < 0.01, "at \(offset)")
        }
    }

    @Test("A gain is applied to the values of its track, without a loss")
    func gainWorked() throws {
        let pattern = try Pattern(
            name: "weak", tracks: [.events([tap(0.8), tap(1, at: .milliseconds(50))], gain: Intensity(clamping: 0.5))])
        let file = try PatternFiles.write(pattern, as: .ahap)
        #expect(file.losses.isEmpty)
        let read = try PatternFiles.read(Array(file.text.utf8), file: "weak.ahap").pattern
        #expect(Timeline(read) == Timeline(pattern))
    }

    /// By hand: a keyframe is 9 keys and values, so 16384 of them are more than a file may have.
    @Test("A file that would be refused is not written")
    func wouldRefused() throws {
        func pattern(_ value: Double) throws -> Pattern {
            let keyframes = (0..<1024).map {
                Keyframe(
                    at: .milliseconds(Int64($0)), intensity: Intensity(clamping: Double($0 % 2) * value),
                    sharpness: Sharpness(clamping: value))
            }
            return try Pattern(name: "large", tracks: Array(repeating: .keyframes(keyframes), count: 16))
        }
        let short = #expect(throws: UnwritablePattern.self) { try PatternFiles.write(pattern(0.5), as: .yaml) }
        #expect(short?.description.contains("more than 100000 keys and values") == true)
        let long = #expect(throws: UnwritablePattern.self) { try PatternFiles.write(pattern(0.123456789), as: .yaml) }
        #expect(long?.description.contains("bytes; at most 1048576 are read; write another format, or split") == true)
    }
}
