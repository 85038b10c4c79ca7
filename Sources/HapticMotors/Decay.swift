// SPDX-License-Identifier: MIT
internal import HapticCore

/// What is left of something that decays, in whole numbers: the same on any machine, which `exp` of the C library is not.
enum Decay {
    /// e^(−time/tau), in parts of 2³². `time` is 0 or more, `tau` more than 0.
    static func share(after time: Nanoseconds, _ tau: Nanoseconds) -> UInt64 {
        let (time, tau) = (UInt64(time.count), UInt64(tau.count))
        // e^−31 of 2³² is nothing.
        guard time / tau < 31 else { return 0 }
        // By the digits of time/tau, which has 32 behind its point.
        var (taus, _) = tau.dividingFullWidth((high: time >> 32, low: time << 32))
        var share = UInt64(1) << 62
        // From one digit that is set to the next: a branch at each of them cannot be predicted.
        while taus != 0 {
            share = product(share, shares[taus.trailingZeroBitCount])
            taus &= taus - 1
        }
        return share >> 30
    }

    /// e^(−2^(index − 32)), in parts of 2⁶²: the first is 1 − 2⁻³² + …, and each is the square of the one before.
    private static let shares: [UInt64] = {
        var shares = [UInt64(1) << 62 - 1 << 30]
        for _ in 1..<37 { shares.append(product(shares[shares.count - 1], shares[shares.count - 1])) }
        return shares
    }()

    /// Rounded; both are 1 at most, in parts of 2⁶².
    private static func product(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let (high, low) = a.multipliedFullWidth(by: b)
        return high << 2 + (low >> 62) + (low >> 61 & 1)
    }

    /// `number` times `share`, which is in parts of 2³².
    static func scaled(_ number: Int64, by share: UInt64) -> Int64 {
        let (high, low) = number.magnitude.multipliedFullWidth(by: share)
        let size = Int64(high << 32 | low >> 32)
        return number < 0 ? -size : size
    }
}
