// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticText

/// Where in a file of another format something stands that is felt.
public struct EntryPlace: Hashable, Sendable {
    /// When it begins, from the start of the pattern.
    public let at: Nanoseconds
    public let mark: SourceMark?
    /// Such as `Pattern[3].Event`.
    public let path: String

    init(at: Nanoseconds, _ reader: NodeReader) { (self.at, mark, path) = (at, reader.node.mark, reader.path) }
}
