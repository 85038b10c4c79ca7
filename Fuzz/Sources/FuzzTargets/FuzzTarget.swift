// SPDX-License-Identifier: MIT

/// What is fed with anything at all.
public protocol FuzzTarget {
    /// The name of its corpus.
    static var name: String { get }
    /// Ends the process where what must hold does not.
    static func run(_ bytes: [UInt8])
}

public let allTargets: [any FuzzTarget.Type] = [
    ClientLines.self, JSONTexts.self, Configurations.self, PatternFiles.self, Records.self, GuardMessages.self, DaemonLines.self,
]

/// `precondition` says nothing in an optimised build, which is what is fuzzed.
func require(_ condition: Bool, _ claim: @autoclosure () -> String) {
    if !condition { fatalError("does not hold: \(claim())") }
}
