// SPDX-License-Identifier: MIT

extension StatusResult {
    /// What the executor asked the kernel for, as the configuration has it, and what it was given.
    public struct Realtime: Codable, Hashable, Sendable {
        /// One answer of the kernel's for each thing that was asked for; null for what was not.
        public struct Granted: Codable, Hashable, Sendable {
            public var priority: Bool?
            public var lockMemory: Bool?
            public var cpu: Bool?

            public init(priority: Bool? = nil, lockMemory: Bool? = nil, cpu: Bool? = nil) {
                self.priority = priority
                self.lockMemory = lockMemory
                self.cpu = cpu
            }

            private enum CodingKeys: CodingKey { case priority, lockMemory, cpu }

            public func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(priority, forKey: .priority)
                try container.encode(lockMemory, forKey: .lockMemory)
                try container.encode(cpu, forKey: .cpu)
            }
        }

        /// Of SCHED_FIFO, 1…99; null: none was asked for.
        public var priority: Int?
        public var lockMemory: Bool
        /// The only processor to run on, from 0; null: any.
        public var cpu: Int?
        public var granted: Granted
        /// A sentence for each thing that was refused: what, why, what to do.
        public var remedies: [String]

        /// Without arguments: nothing was asked for.
        public init(
            priority: Int? = nil, lockMemory: Bool = false, cpu: Int? = nil, granted: Granted = Granted(), remedies: [String] = []
        ) {
            self.priority = priority
            self.lockMemory = lockMemory
            self.cpu = cpu
            self.granted = granted
            self.remedies = remedies
        }

        private enum CodingKeys: CodingKey { case priority, lockMemory, cpu, granted, remedies }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(priority, forKey: .priority)
            try container.encode(lockMemory, forKey: .lockMemory)
            try container.encode(cpu, forKey: .cpu)
            try container.encode(granted, forKey: .granted)
            try container.encode(remedies, forKey: .remedies)
        }
    }
}
