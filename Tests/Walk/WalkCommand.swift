// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticCore
import TestSupport

/// `haptic-walk [--seconds N | --seeds N] [--first S] [--seed S] [--commit NAME] [--patterns N]`: walks seed after seed and says
/// in one line what came of it.
///
/// They begin with `--first`, else with one that is drawn, and go on for so many seconds, or, so that no clock decides, for so
/// many seeds. With `--seed`, or `HAPTICD_SEED`, only that one. With `--patterns` so many random patterns are played, each to its
/// end, before that. It ends with 1 where a seed or a pattern failed, and with 3 where none did but some point was never seen.
@main
struct WalkCommand {
    static func main() {
        var seconds = 60.0
        var seeds: UInt64?
        var first: UInt64?
        var only = ProcessInfo.processInfo.environment["HAPTICD_SEED"].flatMap { UInt64($0) }
        var commit = "unknown"
        var patterns = 0
        var arguments = CommandLine.arguments.dropFirst()
        while let option = arguments.popFirst(), let value = arguments.popFirst() {
            switch option {
            case "--seconds": seconds = number(value, option)
            case "--seeds": seeds = number(value, option)
            case "--first": first = number(value, option)
            case "--seed": only = number(value, option)
            case "--commit": commit = value
            case "--patterns": patterns = number(value, option)
            default: stop("unknown option \(option); there is --seconds, --seeds, --first, --seed, --commit, --patterns")
            }
        }
        var total = Total()
        if let only {
            guard total.walk(only, commit, tellsStory: true) else { exit(1) }
            print(total.line(commit, first: only))
            return
        }
        let start = first ?? UInt64.random(in: 1...UInt64(UInt32.max))
        if patterns > 0 {
            if let failure = PatternSweep.failure(of: patterns, from: start) {
                print("FAILED: commit \(commit): \(failure)")
                exit(1)
            }
            print("walk: commit \(commit), \(patterns) random patterns from seed \(start) were played to their end")
        }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        var seed = start
        while seeds.map({ seed - start < $0 }) ?? (clock.now < end) {
            guard total.walk(seed, commit) else { exit(1) }
            seed += 1
        }
        print(total.line(commit, first: start))
        let never = total.seen.never
        guard never.isEmpty else {
            print("FAILED: never seen: \(never.joined(separator: ", ")); walk longer, or see why")
            exit(3)
        }
    }

    private static func number<Value: LosslessStringConvertible>(_ text: String, _ option: String) -> Value {
        guard let value = Value(text) else { stop("\(option) takes a number, not \(text)") }
        return value
    }

    private static func stop(_ message: String) -> Never {
        print(message)
        exit(2)
    }
}

/// What many seeds came to.
struct Total {
    private(set) var seen = Sometimes()
    private var seeds = 0
    private var twice = 0
    private var simulated = Nanoseconds.zero
    private var inputs = 0
    private var faults: [String: Int] = [:]

    /// False where the seed failed; it has been said why, and how to see it again. Three seeds in 100 are walked twice, and have to do the same.
    mutating func walk(_ seed: UInt64, _ commit: String, tellsStory: Bool = false) -> Bool {
        let (options, outcome) = Walk.run(seed: seed, tellsStory: tellsStory)
        var failure = outcome.failure
        if seed.isMultiple(of: 50) || seed % 100 == 1 {
            twice += 1
            if Walk.run(seed: seed).result.trace != outcome.trace {
                failure = failure ?? "the same seed did not do the same twice"
            }
        }
        if let failure {
            for line in outcome.story { print(line) }
            print("FAILED: commit \(commit), seed \(seed) (\(options)): \(failure)")
            print("again: HAPTICD_SEED=\(seed) make walk")
            return false
        }
        seeds += 1
        simulated += outcome.simulated
        inputs += outcome.inputs
        seen.add(outcome.seen)
        for (fault, count) in outcome.faults { faults[fault.rawValue, default: 0] += count }
        return true
    }

    func line(_ commit: String, first: UInt64) -> String {
        let struck = faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let hours = Int(simulated.inSeconds / 3600)
        return
            "walk: commit \(commit), \(seeds) seeds from \(first) (\(twice) twice), \(hours) simulated hours, \(inputs) inputs; "
            + "faults: \(struck.isEmpty ? "none" : struck); sometimes: \(seen.table)"
    }
}
