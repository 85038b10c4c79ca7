// SPDX-License-Identifier: MIT
import HapticBackends
package import HapticClient
import HapticCore
package import HapticTerminal
package import HapticWire

/// A pulse on each actuator that is ready, if the user agrees. At a terminal the user is asked whether it was felt.
package struct TestPulse {
    let client: HapticClient
    let facts: Facts
    /// Nil: agreed in advance, and nobody is there to be asked.
    let question: Question?

    /// Strong and short, so that it is felt on any motor.
    private static let pattern = "heavy"

    package init(client: HapticClient, facts: Facts, question: Question?) {
        (self.client, self.facts, self.question) = (client, facts, question)
    }

    package func run(on actuators: [ActuatorResult]) throws -> [Finding] {
        var findings: [Finding] = []
        for one in actuators.prefix(Examination.mostActuators) where one.isAvailable {
            if let question, try !question.isAgreed("Play a test pulse on \(one.name)?", orElse: false) { continue }
            findings.append(try play(on: one))
        }
        return findings
    }

    private func play(on actuator: ActuatorResult) throws -> Finding {
        let name = actuator.name
        var params = PlayParams(pattern: .named(Self.pattern))
        // An alarm is felt in every profile but `silent`, and goes before what plays.
        (params.feedbackClass, params.actuators, params.wait) = (.alarm, [name], true)
        let result: PlayResult
        do throws(ClientError) {
            result = try client.call(params, timeout: 15)
        } catch {
            return Finding(.pulseRefused, "\(name): \(error)")
        }
        guard result.decision.outcome == .played else {
            return Finding(.pulseRefused, "\(name): \(Words.notFelt(result.decision))")
        }
        if let ending = result.ending, ending.ended != .completed {
            return Finding(.pulseRefused, "\(name): \(Words.ending(ending))")
        }
        // Of one that moves nothing nobody is asked.
        guard let question, Text(actuator.backend) != Text(SimulatedBackend.name) else {
            return .ok(.feedback, "\(name): the test pulse was played")
        }
        switch try question.answer("Did you feel it?", orElse: true) {
        case true?: return .ok(.feedback, "\(name): the test pulse was felt")
        case false?:
            return Finding(.pulseUnfelt, "\(name): the test pulse was not felt", remedies: [facts.hapticctl("actuators")])
        // The end of input says nothing of a motor.
        case nil: return .ok(.feedback, "\(name): the test pulse was played; nobody said whether it was felt")
        }
    }
}

/// A question with yes or no, on a terminal.
package struct Question {
    let console: Console

    /// Nil where nobody could answer: input or output is no terminal.
    package init?(_ console: Console) {
        guard console.terminal.inputIsTerminal, console.terminal.outputIsTerminal, !console.isJSON else { return nil }
        self.console = console
    }

    /// The end of input agrees to nothing.
    package func isAgreed(_ text: String, orElse other: Bool) throws -> Bool { try answer(text, orElse: other) ?? false }

    /// What is neither yes nor no is `other`. Nil: the input has ended.
    func answer(_ text: String, orElse other: Bool) throws -> Bool? {
        try console.ask("\(text) \(other ? "[Y/n]" : "[y/N]") ")
        guard let line = try StandardInput.line() else {
            try console.say("")
            return nil
        }
        return Self.isYes(line, orElse: other)
    }

    static func isYes(_ line: String, orElse other: Bool) -> Bool {
        switch line.split(separator: " ").first?.first {
        case "y", "Y": true
        case "n", "N": false
        default: other
        }
    }
}
