// SPDX-License-Identifier: MIT

/// A GPIO chip of this machine.
public struct GPIOChip: Hashable, Sendable {
    public struct Line: Hashable, Sendable {
        public var offset: Int
        /// Nil where it has none.
        public var name: String?
        /// Who holds it; nil where nobody does, or the holder gave no name.
        public var consumer: String?
        public var isUsed: Bool
        public var isOutput: Bool

        public init(offset: Int, name: String? = nil, consumer: String? = nil, isUsed: Bool = false, isOutput: Bool = false) {
            self.offset = offset
            self.name = name
            self.consumer = consumer
            self.isUsed = isUsed
            self.isOutput = isOutput
        }
    }

    public var path: String
    public var name: String
    /// Empty where the chip could not be opened.
    public var label: String
    public var lines: [Line]
    /// Why it could not be opened; nil where it could.
    public var fault: DriverFault?

    public init(path: String, name: String, label: String = "", lines: [Line] = [], fault: DriverFault? = nil) {
        self.path = path
        self.name = name
        self.label = label
        self.lines = lines
        self.fault = fault
    }
}
