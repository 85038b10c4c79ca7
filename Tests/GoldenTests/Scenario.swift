// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
import HapticText
import HapticWire
import HapticYAML

/// A case of the engine: configuration, inputs and recorded trace. `docs/contributing.md` describes the format of its file.
struct Scenario {
    /// An event at one instant.
    struct Step {
        enum What {
            /// The calls of one line, which the engine takes as one batch.
            case calls([Asked])
            case disconnect(Client)
            case actuator(String, isAvailable: Bool, found: FoundMotor?)
            case reload(String)
            /// A notification that was not valid, or one too many.
            case refuse(Decision.InputKind, Reason)
            /// The settings that people made before.
            case stored(SettingWords)
            /// The configuration in force, with this setting.
            case configured(SettingWords)
            case clock(LocalTime)
            /// The machine was asleep for this long, and woke up at this instant.
            case slept(Nanoseconds)
            case shutdown
        }

        struct Asked {
            enum What {
                case call(any WireCall)
                case set(SettingWords)
            }

            var client: Client
            var what: What
            var text: String
            var line: Int
        }

        var at: MonotonicInstant
        var what: What
        /// The text of the line, without the instant.
        var text: String
        var line: Int
    }

    /// The clients of every scenario; `ada` is the default.
    enum Client: String, CaseIterable {
        case ada
        /// Ada on another connection.
        case ada2
        case bob
        /// A client without the right to end others' playbacks.
        case guest
        /// A client without the right to the class `alarm`.
        case child
        /// A client that may speak for others.
        case door
        /// Clients of a door that ada runs, each with a scope.
        case tab1, tab2

        var identity: ClientIdentity {
            switch self {
            case .ada: ClientIdentity(connection: 1, user: 1000)
            case .ada2: ClientIdentity(connection: 2, user: 1000)
            case .bob: ClientIdentity(connection: 3, user: 1001)
            case .guest: ClientIdentity(connection: 4, user: 1002, mayEndOthers: false)
            case .child: ClientIdentity(connection: 5, user: 1003, mayAlarm: false)
            case .door: ClientIdentity(connection: 6, user: 1004, maySpeakFor: true)
            case .tab1: ClientIdentity(connection: 7, user: 1000, scope: 1)
            case .tab2: ClientIdentity(connection: 8, user: 1000, scope: 2)
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
        /// The number of the heading's line, from 1.
        var line: Int
        var lines: [String] = []

        /// The text behind as many empty lines as the file has lines before it, so that an error names the line of the file.
        var yaml: [UInt8] { Array((String(repeating: "\n", count: line) + lines.joined(separator: "\n")).utf8) }
    }

    let file: String
    /// The steps by time, and at one instant in the order of the file.
    private(set) var steps: [Step] = []
    /// The configurations by name; the name of the initial one is empty.
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
}

extension String {
    fileprivate func rest(after prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
