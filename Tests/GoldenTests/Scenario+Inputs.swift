// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticText
import HapticYAML

@testable import HapticService
@testable import HapticWire

/// The words of one line of the section `inputs`.
extension Scenario {
    func duration(_ words: inout Words, _ line: Int) throws(Mistake) -> Nanoseconds {
        guard let text = words.take(), let duration = Nanoseconds(unitText: text), duration >= .zero else {
            throw Mistake(file, line, "expected a time such as `20ms`")
        }
        return duration
    }

    func what(_ words: inout Words, _ line: Int) throws(Mistake) -> Step.What {
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

    /// `as pad`: the motor that the device reports.
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
    func asked(_ words: inout Words, _ line: Int) throws(Mistake) -> Step.Asked {
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
        let node = Node(.object(members.map { Node.Member(key: Text($0.0), value: $0.1) }))
        switch Request(Message(node, at: method == TransactionParams.method ? .firstOfBatch : .alone)).call {
        case .success(let call): return Step.Asked(client: client, what: .call(call), text: text, line: line)
        case .failure(let error): throw Mistake(file, line, error.message)
        }
    }
}
