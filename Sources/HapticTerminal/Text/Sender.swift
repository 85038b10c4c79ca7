// SPDX-License-Identifier: MIT
import HapticConfig
import HapticWire

/// Who sent an input, in words. Looks each user up once.
package struct Sender {
    private let lookUp: (UInt32) -> String?
    private var names: [UInt32: String] = [:]
    /// A machine has more users than this only where somebody makes them up.
    private static let mostNames = 1024

    package init(lookUp: @escaping (UInt32) -> String? = Accounts.name(ofUser:)) { self.lookUp = lookUp }

    /// `pi`; the number where the system has no name for it.
    mutating func name(of user: UInt32) -> String {
        if let name = names[user] { return name }
        if names.count >= Self.mostNames { names = [:] }
        let name = lookUp(user) ?? "user \(user)"
        names[user] = name
        return name
    }

    /// `pi, till (process 1234)`; nil where nothing is known.
    mutating func words(user: UInt32?, process: Int32?, app: String? = nil) -> String? {
        let words = [user.map { name(of: $0) }, app.map(Words.given)].compactMap(\.self)
        let number = process.map { "process \($0)" }
        guard !words.isEmpty else { return number }
        return words.joined(separator: ", ") + (number.map { " (\($0))" } ?? "")
    }
}
