// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticClient
import HapticCore
import HapticTerminal
import HapticWire
import HapticYAML

struct Present: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say which things of a set exist now; what is new and what is missing is felt.",
        discussion: """
            Examples:

              hapticctl present cart.items p-17 p-23
              ls /dev/input | hapticctl present inputs --stdin
              hapticctl present cart.items p-17 p-23 --had p-17 --simulate

            Name all things that there are, in any order, by ids that stay theirs: they are compared with those of the last time. What is new is felt, and what is missing; what stayed is not. Without ids the set is empty now. Each user has sets of his own; one is forgotten an hour after it was last said. --feedback off is for what is there already when a program starts.

            With --simulate the set was empty before, or had what --had names. Exits with 1 where the set is more than may be kept; then it stays as it was.
            """)

    /// Of standard input: what any daemon could take, and more.
    private static let mostBytes = 64 * 1_048_576

    @Argument(help: "Which set, such as `cart.items`.", completion: .set, transform: Values.name)
    var name: String

    @Argument(help: "The ids of all things in it that exist now.", transform: Values.id)
    var ids: [String] = []

    @Flag(help: "Read them from standard input, one a line.")
    var stdin = false

    @Option(
        help: ArgumentHelp("With --simulate: what was in it before. May be given again.", valueName: "id"), transform: Values.id
    )
    var had: [String] = []

    @OptionGroup var feedback: FeedbackOptions
    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !stdin || ids.isEmpty else { throw ValidationError("give ids or --stdin, not both") }
        guard had.isEmpty || simulation.simulate else {
            throw ValidationError("--had is about --simulate; a running daemon knows what was in the set before")
        }
    }

    func run() throws {
        let console = common.console()
        var params = PresentParams(name: name, ids: stdin ? try Self.readIDs() : ids)
        params.feedback = feedback.feedback
        if simulation.simulate { return try simulate(params, console) }
        let client = try common.connect()
        client.interruptDescriptor = try Signals.catchInterrupts()
        let decision: DecisionResult
        do throws(ClientError) {
            decision = try client.present(params)
        } catch {
            guard error == .interrupted else { throw error }
            throw Failure(
                "cancelled; the set is as it was unless its last line had arrived",
                status: ExitStatus.interrupted(by: Signals.take() ?? SIGINT))
        }
        guard !Self.isRefused(decision) else { return try Self.refuse(decision, console) }
        try Report.input(decision, console)
    }

    private func simulate(_ params: PresentParams, _ console: Console) throws {
        let board = try SimulatedBoard(simulation, console)
        if !had.isEmpty {
            var before = PresentParams(name: name, ids: had)
            before.feedback = .off
            _ = try board.send(before)
        }
        // trap: a set has one part at least.
        var decision = try board.send(params.parts()[0]).decision
        for part in params.parts().dropFirst() { decision = try board.send(part).decision }
        guard !Self.isRefused(decision) else { return try Self.refuse(decision, console) }
        try console.say("\(Words.input(decision)): \(Words.outcome(decision))")
        try board.finish()
        try console.flush()
    }

    private static func isRefused(_ decision: DecisionResult) -> Bool {
        decision.reason == .quota && decision.kept == nil
    }

    private static func refuse(_ decision: DecisionResult, _ console: Console) throws {
        try console.writeJSON(decision)
        try console.flush()
        throw Failure("\(Words.input(decision)): \(Words.notFelt(decision))", code: .refused)
    }

    // MARK: Standard input

    private static func readIDs() throws(Failure) -> [String] {
        let bytes: [UInt8]
        do throws(FileAccess.Failure) {
            bytes = try StandardInput.readAll(mostBytes)
        } catch {
            throw Failure(
                "cannot read the ids from standard input: \(error.reason); give one id a line, from a pipe or a file, and no more than the daemon keeps: 100,000 of them and 8 MB, unless `bounds` of its configuration says more",
                code: .unreadable)
        }
        return try ids(in: bytes)
    }

    /// One a line, which ends at LF or CRLF; empty lines are none.
    static func ids(in bytes: [UInt8]) throws(Failure) -> [String] {
        var ids: [String] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard !line.isEmpty else { continue }
            guard let text = String(validating: line, as: UTF8.self) else {
                throw Failure("line \(index + 1) of standard input is not valid UTF-8; write it in UTF-8", code: .unreadable)
            }
            do {
                ids.append(try Values.id(text))
            } catch {
                throw Failure("line \(index + 1) of standard input: \(error)", code: .unreadable)
            }
        }
        return ids
    }
}
