// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticDocuments
import HapticEngine
import HapticJSON
import HapticMotors

@testable import HapticWire

/// What is configured, what happens, and what has been recorded of it: a file that a person can write.
/// `docs/contributing.md` says how.
struct Scenario {
    /// Something that happens at one instant.
    struct Step {
        enum What {
            /// One line of clients: a transaction.
            case calls([Asked])
            case disconnect(Client)
            case actuator(String, isAvailable: Bool, found: FoundMotor?)
            case reload(String)
            /// A notification that was not valid, or one too many.
            case refuse(Decision.InputKind, Reason)
            /// What people had set before.
            case stored(SettingWords)
            /// The same configuration, but with this setting.
            case configured(SettingWords)
            case clock(LocalTime)
            /// The machine was asleep for this long, and woke up at this instant.
            case slept(Nanoseconds)
            case shutdown
        }

        struct Asked {
            enum What {
                case call(Call)
                case set(SettingWords)
            }

            var client: Client
            var what: What
            var text: String
            var line: Int
        }

        var at: MonotonicInstant
        var what: What
        /// As it stands in the file, without the instant.
        var text: String
        var line: Int
    }

    /// Those who can speak in any scenario; `ada` is who speaks where nobody is named.
    enum Client: String, CaseIterable {
        case ada
        /// Ada on another connection.
        case ada2
        case bob
        /// One whom `access` keeps from ending what others play.
        case guest
        /// One whom it keeps from naming the class `alarm`.
        case child
        /// One who may speak for others.
        case door

        var identity: ClientIdentity {
            switch self {
            case .ada: ClientIdentity(connection: 1, user: 1000)
            case .ada2: ClientIdentity(connection: 2, user: 1000)
            case .bob: ClientIdentity(connection: 3, user: 1001)
            case .guest: ClientIdentity(connection: 4, user: 1002, mayEndOthers: false)
            case .child: ClientIdentity(connection: 5, user: 1003, mayAlarm: false)
            case .door: ClientIdentity(connection: 6, user: 1004, maySpeakFor: true)
            }
        }
    }

    struct Mistake: Error, CustomStringConvertible {
        var description: String

        init(_ file: String, _ line: Int, _ message: String) { description = "\(file):\(line): \(message)" }
        init(_ document: InvalidDocument, in file: String) {
            description = document.diagnostics.map { diagnostic in
                var diagnostic = diagnostic
                diagnostic.file = file
                return diagnostic.description
            }.joined(separator: "\n")
        }
    }

    private struct Section {
        var name: String
        /// That of its heading, from 1.
        var line: Int
        var lines: [String] = []

        /// Its text with as many empty lines before it as the file has, so that an error names the line of the file.
        var yaml: [UInt8] { Array((String(repeating: "\n", count: line) + lines.joined(separator: "\n")).utf8) }
    }

    let file: String
    /// In order of time; of one instant, in the order of the file.
    private(set) var steps: [Step] = []
    /// By name; that in force at the beginning has none.
    private(set) var configurations = ["": try! Configuration.builtIn.engineConfiguration()]
    /// All lines before the heading of the trace.
    let given: [String]
    private(set) var trace: [String] = []

    static let heading = "=== "
    static let traceHeading = heading + "trace"

    init(_ text: String, file: String) throws(Mistake) {
        self.file = file
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        let end = lines.firstIndex(of: Self.traceHeading) ?? lines.count
        given = Array(lines[..<end])
        trace = Array(lines[end...].dropFirst())
        var sections: [Section] = []
        for (index, line) in given.enumerated() {
            if line.hasPrefix(Self.heading) {
                sections.append(Section(name: String(line.dropFirst(Self.heading.count)), line: index + 1))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            } else if !line.isEmpty, !line.hasPrefix("#") {
                throw Mistake(file, index + 1, "before the first heading there are only comments; begin it with `#`")
            }
        }
        guard given.first?.hasPrefix("# ") == true else { throw Mistake(file, 1, "say in a comment what the scenario shows") }
        try read(sections)
    }

    private mutating func read(_ sections: [Section]) throws(Mistake) {
        var seen: Set<String> = []
        var patterns: [String: [UInt8]] = [:]
        for section in sections {
            guard seen.insert(section.name).inserted else {
                throw Mistake(file, section.line, "`\(section.name)` stands here twice")
            }
            if let name = section.name.rest(after: "pattern ") {
                patterns[name.contains(".") ? name : "\(name).yaml"] = section.yaml
            }
        }
        for section in sections where section.name.rest(after: "pattern ") == nil {
            if section.name == "inputs" {
                try readInputs(section)
            } else if section.name == "configuration" {
                configurations[""] = try configuration(section, patterns)
            } else if let name = section.name.rest(after: "configuration ") {
                configurations[name] = try configuration(section, patterns)
            } else {
                throw Mistake(
                    file, section.line,
                    "there is no section `\(section.name)`; there are `configuration`, `configuration NAME`, `pattern NAME`, `inputs`, `trace`"
                )
            }
        }
        guard seen.contains("inputs") else { throw Mistake(file, given.count, "the section `inputs` is missing") }
        // Sorting is stable.
        steps.sort { $0.at < $1.at }
    }

    private func configuration(_ section: Section, _ patterns: [String: [UInt8]]) throws(Mistake) -> EngineConfiguration {
        let files = FileAccess(
            read: { _, _ throws(FileAccess.Failure) in throw FileAccess.Failure("a scenario has no files") },
            directory: { _ throws(FileAccess.Failure) in
                // trap: only its own names are asked for.
                FileAccess.Directory(names: Array(patterns.keys)) { name, _ throws(FileAccess.Failure) in patterns[name]! }
            })
        do throws(InvalidDocument) {
            let read = try Configuration.read(yaml: section.yaml, file: file, files: files)
            return try! read.engineConfiguration()
        } catch {
            throw Mistake(error, in: file)
        }
    }

    // MARK: Inputs

    private mutating func readInputs(_ section: Section) throws(Mistake) {
        var entries: [(line: Int, text: String)] = []
        for (index, text) in section.lines.enumerated() where !text.isEmpty && !text.hasPrefix("#") {
            if text.hasPrefix(" "), !entries.isEmpty {
                entries[entries.count - 1].text += text
            } else {
                entries.append((section.line + 1 + index, text))
            }
        }
        for (line, text) in entries { try readInput(Words(text), line) }
    }

    private mutating func readInput(_ words: Words, _ line: Int) throws(Mistake) {
        var words = words
        if words.take(if: { $0 == "+" }) != nil {
            guard let last = steps.last, case .calls(let calls) = last.what else {
                throw Mistake(file, line, "`+` adds to the calls of the line before, and there is none")
            }
            steps[steps.count - 1].what = .calls(calls + [try asked(&words, line)])
            return
        }
        let at = MonotonicInstant.zero + (try duration(&words, line))
        guard words.take(if: { $0 == "every" }) != nil else {
            steps.append(Step(at: at, what: try what(&words, line), text: words.all, line: line))
            return
        }
        let interval = try duration(&words, line)
        guard let values = words.takeValues() else {
            throw Mistake(file, line, "`every` needs values: `… { value: $ } for 0.1 0.2`")
        }
        for (index, value) in values.enumerated() {
            var own = words.with(value)
            steps.append(Step(at: at + interval * index, what: try what(&own, line), text: own.all, line: line))
        }
    }

    private func duration(_ words: inout Words, _ line: Int) throws(Mistake) -> Nanoseconds {
        guard let text = words.take(), let duration = Nanoseconds(unitText: text), duration >= .zero else {
            throw Mistake(file, line, "expected a time such as `20ms`")
        }
        return duration
    }

    private func what(_ words: inout Words, _ line: Int) throws(Mistake) -> Step.What {
        var rest = words
        let client = try client(&rest, line)
        guard let word = rest.take() else { throw Mistake(file, line, "nothing happens here; say what") }
        func argument(_ meaning: String) throws(Mistake) -> String {
            guard let argument = rest.take() else { throw Mistake(file, line, "`\(word)` needs \(meaning)") }
            return argument
        }
        let what: Step.What
        switch word {
        case "disconnect": what = .disconnect(client)
        case "lost": what = .actuator(try argument("the name of an actuator"), isAvailable: false, found: nil)
        case "back":
            let name = try argument("the name of an actuator")
            what = .actuator(name, isAvailable: true, found: try found(&rest, line))
        case "reload": what = .reload(try argument("the name of a configuration"))
        case "slept": what = .slept(try duration(&rest, line))
        case "shutdown": what = .shutdown
        case "clock": what = .clock(try clock(&rest, line))
        case "stored": what = .stored(try setting(&rest, line))
        case "configured": what = .configured(try setting(&rest, line))
        case "refuse":
            guard let kind = Decision.InputKind(rawValue: try argument("a kind of input")),
                let reason = Reason(rawValue: try argument("a reason"))
            else { throw Mistake(file, line, "`refuse` needs a kind of input and a reason") }
            what = .refuse(kind, reason)
        default: return .calls([try asked(&words, line)])
        }
        guard rest.isEmpty else { throw Mistake(file, line, "what is `\(rest.all)` behind `\(word)`?") }
        return what
    }

    /// `as pad`: the motor that the device turns out to have.
    private func found(_ words: inout Words, _ line: Int) throws(Mistake) -> FoundMotor? {
        guard words.take(if: { $0 == "as" }) != nil else { return nil }
        guard let motor = words.take().flatMap({ MotorLibrary.motor(named: $0) }) else {
            throw Mistake(file, line, "`as` needs the name of a motor, such as `pad`")
        }
        return FoundMotor(motor)
    }

    private func setting(_ words: inout Words, _ line: Int) throws(Mistake) -> SettingWords {
        do throws(SettingWords.Mistake) {
            return try SettingWords(&words)
        } catch {
            throw Mistake(file, line, error.message)
        }
    }

    private func clock(_ words: inout Words, _ line: Int) throws(Mistake) -> LocalTime {
        guard let day = words.take().flatMap({ Weekday(rawValue: $0) }), let time = words.take().flatMap({ TimeOfDay($0) }) else {
            throw Mistake(file, line, "`clock` needs a day and a time, such as `mon 22:30`")
        }
        return LocalTime(day, second: time.seconds)
    }

    private func client(_ words: inout Words, _ line: Int) throws(Mistake) -> Client {
        guard let name = words.take(if: { $0.hasSuffix(":") })?.dropLast() else { return .ada }
        guard let client = Client(rawValue: String(name)) else {
            throw Mistake(
                file, line, "there is no client `\(name)`; there are \(Client.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return client
    }

    /// A method of the protocol with its params, in YAML for its fewer quotes.
    private func asked(_ words: inout Words, _ line: Int) throws(Mistake) -> Step.Asked {
        let text = words.all
        let client = try client(&words, line)
        guard let method = words.take() else { throw Mistake(file, line, "nothing happens here; say what") }
        if method == "set" {
            return Step.Asked(client: client, what: .set(try setting(&words, line)), text: text, line: line)
        }
        var members = [("jsonrpc", Node(.string("2.0"))), ("method", Node(.string(Text(method))))]
        if !words.isEmpty {
            let report = DocumentReport(file: file)
            guard let params = YAML.parse(Array(words.all.utf8), report: report), report.isEmpty else {
                throw Mistake(file, line, report.diagnostics.map(\.message).joined(separator: "; "))
            }
            members.append(("params", params))
        }
        let message = Message(Node(.object(members.map { Node.Member(key: Text($0.0), value: $0.1) })))
        do throws(WireError) {
            return Step.Asked(client: client, what: .call(try message.call.get()), text: text, line: line)
        } catch {
            throw Mistake(file, line, error.message)
        }
    }
}

extension String {
    fileprivate func rest(after prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
