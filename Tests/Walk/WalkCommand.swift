// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticCore
import TestSupport

/// `haptic-walk [--seconds N | --seeds N] [--first S] [--seed S] [--commit NAME] [--patterns N]`: walks seed after seed and
/// prints the totals in one line.
///
/// The seeds begin with `--first`, or with a random one. `--seconds` limits the time; `--seeds` limits the number, so that no
/// clock decides. `--seed` or `HAPTICD_SEED` walks that seed only. `--patterns` plays so many random patterns first, each to its
/// end. Exit status: 1 if a seed or a pattern failed, 3 if none failed but a `sometimes` point was never reached.
@main
struct WalkCommand {
    static func main() {
        var options = ["--seconds": "60", "--commit": "unknown", "--patterns": "0"]
        options["--seed"] = ProcessInfo.processInfo.environment["HAPTICD_SEED"]
        var arguments = CommandLine.arguments.dropFirst()
        while let option = arguments.popFirst(), let value = arguments.popFirst() {
            guard ["--seconds", "--seeds", "--first", "--seed", "--commit", "--patterns"].contains(option),
                option == "--commit" || Double(value) != nil
            else { stop("no such option, or no number: \(option) \(value)", 2) }
            options[option] = value
        }
        func number(_ option: String) -> UInt64? { options[option].flatMap { UInt64($0) } }
        let commit = options["--commit"]!
        var total = Total()
        if let seed = number("--seed") {
            guard total.walk(seed, commit, tellsStory: true) else { exit(1) }
            return print(total.line(commit, first: seed))
        }
        let start = number("--first") ?? UInt64.random(in: 1...UInt64(UInt32.max))
        if let patterns = number("--patterns"), patterns > 0 {
            if let failure = PatternSweep.failure(of: Int(patterns), from: start) {
                stop("FAILED: commit \(commit): \(failure)", 1)
            }
            print("walk: commit \(commit), \(patterns) random patterns from seed \(start) were played to their end")
        }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(Double(options["--seconds"]!)!)
        var seed = start
        while number("--seeds").map({ seed - start < $0 }) ?? (clock.now < end) {
            guard total.walk(seed, commit) else { exit(1) }
            seed += 1
        }
        print(total.line(commit, first: start))
        let never = total.seen.never
        if !never.isEmpty { stop("FAILED: never seen: \(never.joined(separator: ", ")); walk longer, or see why", 3) }
    }

    private static func stop(_ message: String, _ status: Int32) -> Never {
        print(message)
        exit(status)
    }
}

/// The totals over many seeds.
struct Total {
    private(set) var seen = Sometimes()
    private var (seeds, twice, inputs) = (0, 0, 0)
    private var simulated = Nanoseconds.zero
    private var faults: [String: Int] = [:]

    /// Walks `seed`. Returns false after a failure, which it prints with the way to repeat it. Three seeds in 100 are walked
    /// twice, and have to do the same.
    mutating func walk(_ seed: UInt64, _ commit: String, tellsStory: Bool = false) -> Bool {
        let (options, outcome) = Walk.run(seed: seed, tellsStory: tellsStory)
        var failure = outcome.failure
        if seed.isMultiple(of: 50) || seed % 100 == 1 {
            twice += 1
            let isSame = Walk.run(seed: seed).result.trace == outcome.trace
            failure = failure ?? (isSame ? nil : "the same seed did not do the same twice")
        }
        if let failure {
            for line in outcome.story { print(line) }
            print("FAILED: commit \(commit), seed \(seed) (\(options)): \(failure)")
            print("again: HAPTICD_SEED=\(seed) make walk")
            return false
        }
        (seeds, inputs, simulated) = (seeds + 1, inputs + outcome.inputs, simulated + outcome.simulated)
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
