internal import HapticMotors
// SPDX-License-Identifier: MIT
public import HapticText

/// What this machine has of one kind of device, in use or not, and what could be an actuator: for `hapticctl actuators --scan`.
public struct Inventory: Sendable {
    /// For people, each in a row of a table.
    public struct Table: Sendable {
        /// What the rows are part of; nil where they stand for themselves.
        public var heading: String?
        public var columns: [String]
        public var rows: [[String]]
        /// Why this user could not use some of them.
        public var faults: [DriverFault]

        public init(heading: String? = nil, columns: [String] = [], rows: [[String]] = [], faults: [DriverFault] = []) {
            self.heading = heading
            self.columns = columns
            self.rows = rows
            self.faults = faults
        }
    }

    /// An actuator for a configuration.
    public struct Proposal: Sendable {
        /// The device's name, of which one for the actuator is made.
        public var name: String
        /// Those that the backend reads, and what a motor needs.
        public var keys: [ConfigurationKey]
        /// What there is to know of it.
        public var note: String?
        /// Whether it is surely there to be felt or seen, so that it may be driven without a look at the wiring.
        public var isSafe: Bool

        public init(name: String, keys: [ConfigurationKey], note: String?, isSafe: Bool = false) {
            self.name = name
            self.keys = keys
            self.note = note
            self.isSafe = isSafe
        }
    }

    /// Proposals that somebody has to look at first. It may have none, and then its title says why.
    public struct Section: Sendable {
        public var title: String
        public var proposals: [Proposal]

        public init(_ title: String, _ proposals: [Proposal] = []) {
            self.title = title
            self.proposals = proposals
        }
    }

    /// The backend's name.
    public var backend: String
    /// What is listed: `PWM chips and their channels`.
    public var title: String
    /// What would make one appear, or why none is listed: in place of the tables where there are none.
    public var whenEmpty: String
    public var tables: [Table]
    /// An object for each device, with all its members: null where there is none.
    public var objects: [JSONValue]
    /// What such an actuator is called where the device's name will not do: `pad`.
    public var noun: String
    public var proposals: [Proposal] = []
    public var sections: [Section] = []

    public init(
        backend: String, title: String, whenEmpty: String, tables: [Table], objects: [JSONValue], noun: String,
        proposals: [Proposal] = [], sections: [Section] = []
    ) {
        self.backend = backend
        self.title = title
        self.whenEmpty = whenEmpty
        self.tables = tables
        self.objects = objects
        self.noun = noun
        self.proposals = proposals
        self.sections = sections
    }
}

extension ConfigurationKey {
    /// What a coin motor stands without getting hot, until its data sheet says better.
    static let coinMotor = ConfigurationKey(
        "motor",
        .keys([
            .init("model", .word(MotorLibrary.coin.name)), .init("minGap", .word("20ms")), .init("maxOn", .word("2s")),
            .init("duty", .word("40%")),
        ]))
}

extension JSONValue {
    static func count(_ value: Int?) -> JSONValue { value.map { .number(Double($0)) } ?? .null }
    static func flag(_ value: Bool?) -> JSONValue { value.map { .bool($0) } ?? .null }
    static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    static func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
    static func problem(_ fault: DriverFault?) -> JSONValue { text(fault.map { "\($0)" }) }
}

/// `3 lines`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// `refused` where this user could not use it.
func stateForYou(_ fault: DriverFault?) -> String { fault == nil ? "ready" : "refused" }
