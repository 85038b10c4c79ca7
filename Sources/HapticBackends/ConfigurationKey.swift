// SPDX-License-Identifier: MIT

/// A key of a device and its value, to be written into a configuration.
public struct ConfigurationKey: Hashable, Sendable {
    public indirect enum Value: Hashable, Sendable {
        case number(Int)
        case flag(Bool)
        /// A word of ours, or a time, a frequency, a share or an id as people write it. Needs no quotes.
        case word(String)
        /// Any text, which may come from a device.
        case text(String)
        case keys([ConfigurationKey])
    }

    public var name: String
    public var value: Value

    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}
