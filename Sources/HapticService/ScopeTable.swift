// SPDX-License-Identifier: MIT
internal import HapticCore

/// The scopes that connections have named, each with the number by which the engine knows it.
///
/// A scope outlives its connections, as its ids do, until `mostGone` others have gone after it; then it begins anew with another number.
/// The table forgets first the oldest scope without a connection of the user who has the most such scopes.
struct ScopeTable {
    static let mostGone = 1024

    private struct Key: Hashable {
        let user: UInt32
        let name: Text
    }

    private struct Known {
        let number: UInt32
        var connections = 0
    }

    private var scopes: [Key: Known] = [:]
    /// Those without a connection, in the order in which they went.
    private var gone: [Key] = []
    /// How many of those each user has.
    private var goneCounts: [UInt32: Int] = [:]
    private var numbers: Set<UInt32> = []
    private var lastNumber: UInt32 = 0

    var count: Int { scopes.count }

    /// A connection of `user` has named the scope; returns its number.
    mutating func enter(_ name: Text, of user: UInt32) -> UInt32 {
        let key = Key(user: user, name: name)
        let known = scopes[key]
        if known?.connections == 0, let index = gone.firstIndex(of: key) { removeGone(at: index) }
        var scope = known ?? Known(number: unusedNumber())
        scope.connections += 1
        scopes[key] = scope
        return scope.number
    }

    /// That connection is closed.
    mutating func leave(_ name: Text, of user: UInt32) {
        let key = Key(user: user, name: name)
        guard var scope = scopes[key] else { return }
        scope.connections -= 1
        scopes[key] = scope
        guard scope.connections == 0 else { return }
        gone.append(key)
        goneCounts[user, default: 0] += 1
        if gone.count > Self.mostGone { forgetOne() }
    }

    private mutating func forgetOne() {
        let user = goneCounts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
        guard let oldest = gone.firstIndex(where: { $0.user == user }) else { return }
        if let scope = scopes.removeValue(forKey: removeGone(at: oldest)) { numbers.remove(scope.number) }
    }

    @discardableResult private mutating func removeGone(at index: Int) -> Key {
        let key = gone.remove(at: index)
        goneCounts[key.user] = goneCounts[key.user].flatMap { $0 > 1 ? $0 - 1 : nil }
        return key
    }

    private mutating func unusedNumber() -> UInt32 {
        repeat { lastNumber = lastNumber == .max ? 1 : lastNumber + 1 } while !numbers.insert(lastNumber).inserted
        return lastNumber
    }
}
