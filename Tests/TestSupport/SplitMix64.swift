// SPDX-License-Identifier: MIT
import Glibc

/// The seed of a random test: always the same in CI, another one each night, or that in HAPTICD_SEED. A test that fails prints it.
public let testSeed: UInt64 =
    getenv("HAPTICD_SEED").flatMap { UInt64(String(cString: $0)) } ?? (isNightly ? .random(in: .min ... .max) : 34)

/// SplitMix64 (Steele, Lea and Flood 2014): small, and the same numbers from the same seed, so a failed test can be repeated.
public struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
