// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticCore
import HapticTerminal
import HapticWire

struct Why: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain why something was felt, or was not.",
        discussion: """
            Examples:

              hapticctl why
              hapticctl why 41

            Shows what came in and from whom, what each link of the policy made of it, and the result. `hapticctl monitor` and --json show the number of each decision. The daemon keeps the last 1,000 that were felt, refused or failed; it only counts progress below a step and what was merged into the pulse before. Ids and values of other users are hidden, unless `access: history` of the configuration names you.
            """)

    @Argument(
        help: ArgumentHelp("The number of a decision, or `last`. (default: last)", valueName: "number|last"),
        completion: .list(["last"]), transform: Self.which)
    var which: Which?

    @OptionGroup var common: CommonOptions

    enum Which: Hashable, Sendable {
        case last
        case number(Int64)
    }

    @Sendable static func which(_ text: String) throws -> Which {
        if text == "last" { return .last }
        guard let number = Int64(text.hasPrefix("#") ? String(text.dropFirst()) : text), number > 0 else {
            throw ValidationError("give the number of a decision, as `hapticctl monitor` shows it, or `last`")
        }
        return .number(number)
    }

    func run() throws {
        let console = common.console()
        let client = try common.connect()
        var params = HistoryParams(last: 1)
        if case .number(let number)? = which { params = HistoryParams(seq: number) }
        let result = try client.call(params)
        guard let entry = result.entries.first else { throw Failure(try missing(result, client)) }
        try console.writeJSON(entry)
        let isLast = which == nil || which == .last
        var text = WhyText(entry, now: MonotonicClock.now, newest: result.newest, isLast: isLast)
        for line in text.lines() { try console.say(line) }
        try console.flush()
    }

    /// Why there is none.
    private func missing(_ result: HistoryResult, _ client: HapticClient) throws -> String {
        let newest = try client.call(HistoryParams(last: 1)).entries.first?.decision.seq
        guard case .number(let number)? = which, let newest else {
            return
                "nothing has been felt, refused or failed yet; progress below a step, merged inputs and releases are only counted"
        }
        return
            "decision \(number) is not kept: the last \(result.most) are, up to \(newest), without progress below a step, merged inputs and releases; `hapticctl monitor` shows new ones"
    }
}
