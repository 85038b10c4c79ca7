// SPDX-License-Identifier: MIT
import HapticCore

/// What a seed does to the service.
struct ServiceOptions {
    /// How long it takes from one look at the clock to the next.
    let tick: Nanoseconds
    /// Some things are kept to some users.
    let isRestricted: Bool
    /// Requests a second; nil: any number.
    let rate: Int?
    let faults: Set<Fault>

    enum Fault: String, CaseIterable {
        case hangUp, closeHalf, deaf, flood, halfLine, longLine, rubbish, reload
    }

    init(using random: inout some RandomNumberGenerator) {
        tick = .microseconds([0, 0, 2, 20].randomElement(using: &random)! as Int64)
        isRestricted = Bool.random(using: &random)
        rate = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 5...40, using: &random) : nil
        faults = Set(Fault.allCases.filter { _ in Bool.random(using: &random) })
    }

    var text: String {
        let names = faults.map(\.rawValue).sorted().joined(separator: " ")
        return "service: tick \(tick), \(isRestricted ? "restricted, " : "")rate \(rate.map { "\($0)" } ?? "any"): \(names)"
    }
}
