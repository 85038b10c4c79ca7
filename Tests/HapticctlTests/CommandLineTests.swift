// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import hapticctl

@Suite("The command line")
struct CommandLineTests {
    private func parse<Command: ParsableCommand>(_ type: Command.Type = Command.self, _ arguments: String...) throws -> Command {
        try #require(try HapticCtl.parseAsRoot(arguments) as? Command)
    }

    /// A row: a line that is wrong, and a word that its error holds.
    @Test(
        "A mistake in the arguments is status 2, and the error says what would be right",
        arguments: [
            ("fly", "no command `fly`; `hapticctl --help`"), ("pley --pattern soft", "no command `pley`; did you mean `play`?"),
            ("chek-config x.yaml", "did you mean `check-config`?"), ("play", "hapticctl play soft"),
            ("play --pattern", "--pattern"),
            ("play --patern soft", "--pattern"), ("play soft --pattern heavy", "one pattern"),
            ("help paly", "did you mean `help play`?"),
            ("help fly", "`hapticctl --help`"), ("--json fly", "no command `fly`"), ("--socket /x paly", "did you mean `play`?"),
            ("--socket", "no command follows"), ("--socket status", "no command follows `status`"),
            ("-q help paly", "did you mean `help play`?"),
            ("progress up --stdin --reconnect-for -1s", "above 0"),
            ("play --pattern soft --steps 0", "10000"), ("play --pattern soft --steps 10001", "10000"),
            ("play --pattern soft --steps -1", "from 1 to 10000"), ("play --pattern soft --repeat -1", "from 1 to"),
            ("play --pattern soft --steps 3 --duration -5ms", "above 0"),
            ("play --pattern soft --steps many", "whole number"), ("play --pattern soft --steps 3 --duration 5", "`5s`"),
            ("play --pattern soft --steps 3 --duration 0s", "above 0"), ("play --pattern soft --steps 3 --duration 2d", "1.6s"),
            ("play --pattern soft --steps 3 --duration 3601s", "at most 3600s"), ("play --pattern soft --duration 1s", "--steps"),
            ("play --pattern soft --stagger 5s", "'--stagger <time>': the last actuator begins at most 1s after the first"),
            ("play --pattern soft --curve linear", "--steps"), ("play --pattern soft --steps 2 --curve lineer", "`linear`"),
            ("play --pattern soft --intensity 1.1", "0…1"), ("play --pattern soft --intensity nan", "0…1"),
            ("play --pattern soft --class urgent", "`alarm`"), ("play --pattern soft --repeat 0", "from 1"),
            ("play --pattern soft --config x.yaml", "--simulate"), ("play --pattern soft more", "more"),
            ("progress", "<id>"), ("progress copy", "--stdin"), ("progress copy 0.5 --stdin", "not both"),
            ("progress copy 1.5", "0…1"), ("progress copy -0.5", "0…1"),
            ("cancel copy --until-resumed", "add --all"), ("cancel --all --immediate --until-resumed", "leave out --immediate"),
            ("progress copy 101%", "0…1"),
            ("progress copy 0.5 --max 100", "--max is about --stdin"),
            ("progress copy --max 100", "--max is about --stdin"), ("progress copy --max -5 --stdin", "above 0"),
            ("progress copy 42", "did you mean `42%`?"),
            ("progress copy --stdin --max 0", "above 0"), ("progress copy --stdin --max inf", "above 0"), ("event", "<name>"),
            ("event a --intensity 2", "0…1"), ("cancel", "--all"), ("cancel copy --all", "one of"),
            ("cancel --playback 0", "from 1"), ("cancel --playback 99999999999999999999", "from 1"), ("prepare", "<patterns>"),
            ("profile loud", "`quiet`"), ("profile quite", "did you mean `quiet`"),
            ("profile defaults", "did you mean `default`"),
            ("off for 2d", "such as `hapticctl off for 1h`"), ("off for 0s", "30m"), ("quiet 22:00 - 07:00", "without spaces"),
            ("charge --increment -1", "0 or more"),
            ("event a --intensity -1", "0…1"),
            ("charge --increment 0 --acceleration 0", "100000"), ("charge --tick 10", "`10s`"),
            ("charge --step 0", "more than 0"),
            ("charge --mode snap", "`grid`"), ("charge --release-at 2", "0…1"), ("monitor --topics decision", "`decisions`"),
            ("monitor --topics decisions,", "`playbacks`"),
            ("monitor --playbacks 0", "from 1"), ("monitor --timeline --json", "--json"), ("status more", "more"),
            ("status --sockt x", "--socket"), ("draw soft", "draw"), ("render", "<name|file>"),
            ("render soft -o soft.png", "`.svg`"), ("render soft -o .svg", "`.svg`"),
            ("render soft -o - --json", "one of them"), ("status --json --prometheus -", "one of them"),
            ("render soft --motor slow", "`coin`"), ("render soft --motor coin --actuator main", "one of them"),
            ("render soft --config x.yaml", "--actuator"), ("lint", "<name|file>"), ("lint soft --config x.yaml", "--actuator"),
            ("try", "<file>"), ("try a.yaml --simulate --actuator main", "--config"), ("tune", "<actuator>"),
            ("tune main --simulate", "--answers FILE"),
            ("tune main --kind ems", "`erm`"), ("convert a.yaml", "<out>"), ("convert a.yaml -", "--to"),
            ("convert a.yaml b.txt", "`b.txt`"), ("convert a.yaml - --to ahap --json", "leave out --json"),
            ("present", "<name>"), ("present cart a --stdin", "not both"), ("present cart --had a", "--simulate"),
            ("present cart --config x.yaml", "--simulate"), ("hold", "<id>"), ("hold pay --for 3", "`3s`"),
            ("hold pay --for 0s", "above 0"), ("hold pay --for 2000s", "no hold takes longer"), ("hold pay down", "down"),
            ("task", "<id>"), ("task copy", "a command behind `--`"), ("task copy bagan", "did you mean `began`"),
            ("task copy cp", "`hapticctl task backup -- COMMAND`"), ("task copy began -- cp a b", "not both"),
            ("task copy --simulate -- cp a b", "runs no command"), ("task copy --", "a command behind `--`"),
            ("task copy began --after 3s", "--simulate"), ("latency --count 0", "from 1 to 100000"),
            ("latency --count 100001", "from 1 to 100000"),
            ("latency --count -1", "from 1"), ("latency --pattern", "--pattern"), ("latency 5", "5"),
        ])
    func mistakes(line: String, word: String) throws {
        let arguments = line.split(separator: " ").map(String.init)
        do {
            _ = try Program.parse(arguments)
            Issue.record("`\(line)` was accepted")
        } catch {
            #expect(Program.status(of: error) == ExitStatus.usage)
            let message = Program.failure(error).lines.joined(separator: "\n")
            #expect(message.contains(word), "\(message)")
        }
    }

    @Test("An empty name, id or socket is refused")
    func empty() {
        let lines = [
            ["event", ""], ["progress", "", "0.5"], ["release", ""], ["cancel", ""], ["play", "--pattern", ""],
            ["status", "--socket", ""], ["status", "--prometheus", ""], ["latency", "--actuator", ""],
            ["latency", "--pattern", ""], ["render", ""], ["render", "soft", "-o", ""],
            ["event", "a\nb"], ["event", String(repeating: "a", count: 257)],
        ]
        for line in lines {
            do {
                _ = try HapticCtl.parseAsRoot(line)
                Issue.record("\(line) was accepted")
            } catch {
                #expect(Program.status(of: error) == ExitStatus.usage)
            }
        }
    }

    @Test(
        "`--help` and `--version` end with status 0",
        arguments: [["--help"], ["--version"], ["play", "--help"], ["help", "monitor"]])
    func help(arguments: [String]) throws {
        do {
            var command = try HapticCtl.parseAsRoot(arguments)
            try command.run()
            Issue.record("\(arguments) went through")
        } catch {
            #expect(Program.status(of: error) == ExitStatus.done)
        }
    }

    @Test(
        "Every failure has its status",
        arguments: [
            (ClientError.noDaemon(tried: ["/run/x"]), 3, "hapticd --simulate --socket /run/x"),
            (.noPermission(path: "/run/x"), 1, "group `haptics`"), (.closed, 3, "log"), (.timedOut, 3, "in time"),
            (.refused(WireError(.invalidParams, "no such pattern")), 1, "no such pattern"),
            (
                .refused(
                    WireError(.invalidConfiguration, "2 errors", data: .init(diagnostics: ["a.yaml:1:1: x", "a.yaml:2:1: y"]))),
                1,
                "2 errors\na.yaml:1:1: x\na.yaml:2:1: y"
            ),
        ] as [(ClientError, Int32, String)])
    func statuses(error: ClientError, status: Int32, word: String) {
        #expect(Program.status(of: error) == status)
        #expect(Failure(error).lines.joined(separator: "\n").contains(word))
    }

    @Test(
        "What the command line says decides whether an error is JSON, also where it cannot be parsed",
        arguments: [
            ("--json fly", true), ("fly --json", true), ("play --json --steps x", true), ("play --steps x", false),
            ("play -- --json", false), ("", false),
        ])
    func jsonErrors(line: String, isJSON: Bool) {
        #expect(Program.wantsJSON(line.split(separator: " ").map(String.init)) == isJSON)
    }

    @Test("What the parser says is one message, and the usage in lines of its own", arguments: ["play --stps 3", "progress"])
    func parserErrors(line: String) throws {
        do {
            _ = try Program.parse(line.split(separator: " ").map(String.init))
            Issue.record("`\(line)` was accepted")
        } catch {
            let failure = Program.failure(error)
            #expect(failure.code == .usage && failure.status == ExitStatus.usage)
            #expect(!failure.message.hasPrefix("Error") && !failure.message.contains("\n"), "\(failure.message)")
            #expect(failure.details.contains { $0.contains("Usage: hapticctl") }, "\(failure.details)")
        }
    }

    @Test("`play` sends what its options say")
    func play() throws {
        let play: Play = try parse(
            Play.self, "play", "--pattern", "soft", "--steps", "75", "--duration", "1.6s", "--curve", "linear", "--intensity",
            "40%",
            "--sharpness", "0.2", "--class", "alarm", "--id", "a", "--actuator", "main", "--actuator", "pad", "--repeat", "2")
        let params = try play.params(isTyped: true)
        #expect(params.pattern == .named("soft"))
        #expect(params.train == StepTrain(steps: 75, duration: .milliseconds(1600), curve: .linear))
        #expect(params.intensity == Intensity(0.4) && params.sharpness == Sharpness(0.2))
        #expect(params.feedbackClass == .alarm && params.id == "a" && params.actuators == ["main", "pad"])
        #expect(params.repeat == 2 && params.wait == true)
        #expect(try parse(Play.self, "play", "--pattern", "soft", "--no-wait").params(isTyped: false).wait == false)
    }

    @Test("The pattern may be the first word, and without a class what a person types is a notification")
    func firstWord() throws {
        let play: Play = try parse(Play.self, "play", "soft", "--steps", "3")
        #expect(try play.params(isTyped: false).pattern == .named("soft"))
        #expect(try play.params(isTyped: false).feedbackClass == nil)
        #expect(try play.params(isTyped: true).feedbackClass == .notification)
    }

    @Test(
        "Options of every command may stand before it, too",
        arguments: [
            "--socket /x --json status", "--json --socket=/x status", "--json status --socket /x",
            "-q --color never status --json --socket /x",
        ])
    func optionsAnywhere(line: String) throws {
        let status = try #require(try Program.parse(line.split(separator: " ").map(String.init)) as? Status)
        #expect(status.common.socket == "/x" && status.common.json)
    }

    @Test("`charge` takes all its numbers")
    func charge() throws {
        let command: ChargeCommand = try parse(
            ChargeCommand.self, "charge", "--increment", "0.001", "--acceleration", "0", "--tick", "20ms", "--release-at", "60%")
        #expect(command.charge == Charge(increment: 0.001, acceleration: 0, tick: .milliseconds(20), releaseAt: Progress(0.6)))
        #expect(try parse(ChargeCommand.self, "charge").charge == Charge())
    }

    @Test(
        "An event's value is a JSON scalar where it reads as one, else a text",
        arguments: [
            ("true", .bool(true)), ("false", .bool(false)), ("null", .null), ("3", .number(3)), ("-0.5", .number(-0.5)),
            ("\"3\"", .string("3")), ("failed", .string("failed")), ("", .string("")), ("[1]", .string("[1]")),
            ("{}", .string("{}")), ("True", .string("True")), ("1e400", .string("1e400")), ("nan", .string("nan")),
        ] as [(String, Scalar)])
    func scalars(text: String, scalar: Scalar) throws {
        #expect(try Values.scalar(text) == scalar)
    }

    @Test("An event's value may be a number below 0")
    func negativeValue() throws {
        #expect(try parse(Event.self, "event", "temperature", "--value", "-5", "--id", "a").value == .number(-5))
    }

    @Test("A pattern with a slash or the end of a format is a file, anything else a name")
    func patternFile() throws {
        #expect(try PatternFile.reference("soft", note: { _ in }) == .named("soft"))
        for path in ["/no/such", "no/such", "such.yaml", "such.ahap", "such.haptic", "such.hjif"] {
            #expect(throws: Failure.self) { try PatternFile.reference(path, note: { _ in }) }
        }
    }

    @Test("What begins a suspension says so, whether or not anything was playing")
    func suspension() {
        #expect(Cancel.words(.init(cancelled: 0), untilResumed: false) == "nothing was playing")
        let words = "and every output is off; nothing begins until the machine has slept, 10 s at most"
        #expect(Cancel.words(.init(cancelled: 0), untilResumed: true) == "nothing was playing, \(words)")
        #expect(Cancel.words(.init(cancelled: 2), untilResumed: true) == "2 playbacks cancelled, \(words)")
    }
}
