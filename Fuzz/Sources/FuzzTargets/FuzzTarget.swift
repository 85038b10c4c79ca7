// SPDX-License-Identifier: MIT

/// What is fed with anything at all.
public protocol FuzzTarget {
    /// The name of its corpus.
    static var name: String { get }
    /// Ends the process where something does not hold.
    static func run(_ bytes: [UInt8])
}

public let allTargets: [any FuzzTarget.Type] = [
    ClientLines.self, JSONTexts.self, Configurations.self, PatternFiles.self, AhapFiles.self, HapticClips.self,
    StoredFiles.self, Records.self, GuardMessages.self, DaemonLines.self,
]

/// Not `precondition`, which says nothing in an optimised build.
func require(_ condition: Bool, _ claim: @autoclosure () -> String) {
    if !condition { fatalError("does not hold: \(claim())") }
}
