// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticCore
import HapticEngine
import HapticFormats
import HapticPatterns
import HapticWire
import TestSupport
import Testing

@testable import HapticTerminal
@testable import hapticctl

@Suite("The command line")
struct CommandLineTests {
    private func parse<Command: ParsableCommand>(_ type: Command.Type = Command.self, _ arguments: String...) throws -> Command {
        try #require(try HapticCtl.parseAsRoot(arguments) as? Command)
    }

    @Test(
        "`--help` and `--version` end with status 0",
        arguments: [["--help"], ["--version"], ["play", "--help"], ["help", "monitor"]])
    func help(arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) {
            var command = try HapticCtl.parseAsRoot(arguments)
            try command.run()
        }
        #expect(error.map(Program.status) == ExitStatus.done)
    }

    @Test("`play` sends the values of its options; without a class, a person's play is a notification")
    func play() throws {
        var cases = SnapshotCases()
        for heading in try snapshotHeadings("play") {
            let words = heading.split(separator: " ").map(String.init)
            let play = try #require(try HapticCtl.parseAsRoot(Array(words.dropFirst())) as? Play)
            cases.add(heading, [params(try play.params(isTyped: words[0] == "typed:"))])
        }
        try expectSnapshot(of: cases.text, "play")
    }

    @Test(
        "Options of every command may stand before it, too",
        arguments: [
            "--socket /x --json status", "--json --socket=/x status", "--json status --socket /x",
            "-q --color never status --json --socket /x",
        ])
    func optionsAnywhere(line: String) throws {
        let status = try #require(try Program.parse(line.split(separator: " ").map(String.init)) as? Status)
        #expect(status.common.socket == "/x")
        #expect(status.common.json)
    }

    @Test("`charge` takes all its numbers")
    func charge() throws {
        let command: ChargeCommand = try parse(
            ChargeCommand.self, "charge", "--increment", "0.001", "--acceleration", "0", "--tick", "20ms", "--release-at", "60%")
        #expect(command.charge == Charge(increment: 0.001, acceleration: 0, tick: .milliseconds(20), releaseAt: Progress(0.6)))
        #expect(try parse(ChargeCommand.self, "charge").charge == Charge())
    }

    private static let readers: [String: @Sendable (String) throws -> Any] = [
        "scalar": Values.scalar, "hand-over": Values.handOver, "feedback": Values.feedback, "strength": Values.strength,
        "profile": Values.profile, "hours": { try Values.hours($0) },
        "days": { try Values.days($0).sorted { $0.rawValue < $1.rawValue } },
    ]

    @Test("A value on the command line is read as intended, or refused with a suggestion")
    func values() throws {
        var cases = SnapshotCases()
        for heading in try snapshotHeadings("values") {
            let name = heading.prefix { $0 != " " }
            let reader = try #require(Self.readers[String(name)])
            do {
                cases.add(heading, ["\(try reader(String(heading.dropFirst(name.count + 1))))"])
            } catch {
                cases.add(heading, ["error: \(Program.failure(error).message)"])
            }
        }
        try expectSnapshot(of: cases.text, "values")
    }

    @Test("An event's value may be a number below 0")
    func negativeValue() throws {
        #expect(try parse(Event.self, "event", "temperature", "--value", "-5", "--id", "a").value == .number(-5))
    }

    @Test("A pattern with a slash or the end of a format is a file, anything else a name")
    func patternFile() throws {
        #expect(try PatternFile.reference("soft", note: { _ in }) == .named("soft"))
        for path in ["/no/such", "no/such", "such.yaml", "such.ahap", "such.haptic"] {
            #expect(throws: Failure.self) { try PatternFile.reference(path, note: { _ in }) }
        }
    }

    @Test("A length, and numbers with a comma, are pulses; anything else is a name or a file")
    func pulses() throws {
        func json(_ text: String) throws -> String {
            let pattern = try PatternFile.reference(text, allowsOnePulse: true, note: { _ in })
            return params(PlayParams(pattern: pattern))
        }
        for text in ["20,60,20", "20ms,60,0.02s", "20, 60, 20", "20 ,60 , 20 ", "20 60 20", "20ms  60 20"] {
            #expect(try json(text) == #"{"pattern":{"pulses":[20,60,20]}}"#, "\(text)")
        }
        for text in ["20", "20ms"] { #expect(try json(text) == #"{"pattern":{"pulses":[20]}}"#, "\(text)") }
        // `--pattern 20` is the pattern of this name.
        for name in ["20", "20ms", "20x", "2nd", "a,20", ",20", "20 ms", "2 taps"] {
            #expect(try PatternFile.reference(name, note: { _ in }) == .named(name))
        }
        for text in ["20,60", "20 60"] {
            let pattern = try PatternFile.reference(text, note: { _ in })
            #expect(params(PlayParams(pattern: pattern)) == #"{"pattern":{"pulses":[20,60]}}"#, "\(text)")
        }
        let drawn = try KnownPattern.here("20,60,20", Console(isJSON: false, isQuiet: true))
        #expect((drawn.name, drawn.duration) == ("20,60,20", .milliseconds(100)))
    }

    @Test("A pattern for one line, for several, and for none has as much room, and phases have that of a line")
    func rooms() throws {
        let events = (0..<1000).map {
            HapticEvent(
                at: .milliseconds(Int64($0) * 50), kind: .transient, intensity: Intensity(0.123456789)!,
                sharpness: Sharpness(0.123456789)!)
        }
        let tracks = try Pattern(name: "large", tracks: [.events(events)])
        #expect(throws: Failure.self) { try PatternFile.inline(tracks, from: "large.yaml") }
        #expect(try PatternFile.inline(tracks, from: "large.yaml", room: .lines) == .inline(PatternWriter.tree(tracks)))
        let phases = try Pattern(name: "large", phases: [.init(tracks, isNamed: false)])
        #expect(throws: Failure.self) { try PatternFile.inline(phases, from: "large.yaml", room: .lines) }
        #expect(try PatternFile.inline(phases, from: "large.yaml", room: .unbounded) == .inline(PatternWriter.tree(phases)))
    }

    @Test("A command behind `--` is taken as it is, whatever it looks like")
    func command() throws {
        let line = ["task", "copy", "--quiet", "--", "cp", "-V", "--json", "a"]
        let task = try #require(try Program.parse(line) as? TaskCommand)
        #expect(task.command == ["cp", "-V", "--json", "a"])
        #expect(task.state == nil)
        #expect(!task.common.json)
        #expect(!Program.wantsJSON(line))
    }

    @Test("`condition` takes a time, or a command behind `--` as it is")
    func condition() throws {
        let timed: ConditionCommand = try parse(ConditionCommand.self, "condition", "camera", "--for", "10m")
        #expect((timed.name, timed.time, timed.command) == ("camera", .seconds(600), []))
        let line = ["condition", "camera", "--", "cp", "--for", "--json", "a"]
        let running = try #require(try Program.parse(line) as? ConditionCommand)
        #expect((running.time, running.command) == (nil, ["cp", "--for", "--json", "a"]))
        #expect(!running.common.json)
        for line in ["camera --for 3s --socket /a -q", "--color never camera -- cp a --", "--json camera", "", "-- cp"] {
            #expect(ConditionCommand.mistake(in: line.split(separator: " ").map(String.init)[...]) == nil, "\(line)")
        }
    }

    @Test("Ids are read one per line, whatever its ending; an invalid id is an error with its line")
    func ids() throws {
        #expect(try Present.ids(in: Array("a\r\nb c\n\n\u{e9}".utf8)) == ["a", "b c", "\u{e9}"])
        #expect(try Present.ids(in: []) == [])
        for (bytes, word) in [
            (Array("a\n".utf8) + [0xff], "line 2"), (Array("a\tb".utf8), "line 1"),
            (Array(("\n\n" + String(repeating: "x", count: 257)).utf8), "line 3"),
        ] {
            let error = #expect(throws: Failure.self) { try Present.ids(in: bytes) }
            #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("a name") == false)
            #expect(error?.status == 1)
        }
    }

    @Test(
        "The end of a command is the end of its task, and its status is hapticctl's own",
        arguments: [
            (0, false, .succeeded, 0), (0, true, .succeeded, 0), (1 << 8, false, .failed, 1), (7 << 8, true, .cancelled, 7),
            (2, false, .cancelled, 130), (15, false, .cancelled, 143), (9, false, .failed, 137), (11 | 0x80, false, .failed, 139),
            (9, true, .cancelled, 137),
        ] as [(Int32, Bool, TaskState, Int32)])
    func endings(waited: Int32, wasAsked: Bool, state: TaskState, status: Int32) {
        let ending = Child.Ending(waited: waited, wasAsked: wasAsked)
        #expect(ending.state == state)
        #expect(ending.status == status)
    }

    @Test("A number is read with or without `#`, and nothing else is", arguments: ["0", "-1", "x", "", "1.5"])
    func decision(wrong: String) throws {
        let found = try ["41", "#41", "last"].map(Why.which)
        #expect(found == [.number(41), .number(41), .last])
        #expect(throws: (any Error).self) { try Why.which(wrong) }
    }

    @Test("The beginning of a suspension is reported, whether or not anything was playing")
    func suspension() {
        #expect(Cancel.words(.init(cancelled: 0), untilResumed: false) == "nothing was playing")
        let words = "and every output is off; nothing begins until the machine has slept, 10 s at most"
        #expect(Cancel.words(.init(cancelled: 0), untilResumed: true) == "nothing was playing, \(words)")
        #expect(Cancel.words(.init(cancelled: 2), untilResumed: true) == "2 playbacks cancelled, \(words)")
    }
}
