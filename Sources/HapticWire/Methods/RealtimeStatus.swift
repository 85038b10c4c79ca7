// SPDX-License-Identifier: MIT

extension StatusResult {
    /// What the executor asked the kernel for, as the configuration has it, and what it was given.
    public struct Realtime: WireResult {
        /// One answer of the kernel's for each thing that was asked for.
        public struct Granted: WireResult {
            public var priority: Bool?
            public var lockMemory: Bool?
            public var cpu: Bool?

            public init(priority: Bool? = nil, lockMemory: Bool? = nil, cpu: Bool? = nil) {
                self.priority = priority
                self.lockMemory = lockMemory
                self.cpu = cpu
            }

            public static let blank = Self()

            public static let members: [WireMember<Self>] = [
                .nullable("priority", \.priority, .boolean, "the priority; null: none was asked for"),
                .nullable("lockMemory", \.lockMemory, .boolean, "the lock; null: none was asked for"),
                .nullable("cpu", \.cpu, .boolean, "the processor; null: none was asked for"),
            ]
        }

        public var priority: Int?
        public var lockMemory: Bool
        public var cpu: Int?
        public var granted: Granted
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

        public static let blank = Self()

        public static let members: [WireMember<Self>] = [
            .nullable("priority", \.priority, .whole, "of SCHED_FIFO, 1…99; null: none was asked for"),
            .required("lockMemory", \.lockMemory, .boolean, "whether its memory is to be kept from being swapped out"),
            .nullable("cpu", \.cpu, .whole, "the only processor to run on, from 0; null: any"),
            .required("granted", \.granted, .object, "what the kernel gave of that"),
            .required(
                "remedies", \.remedies, .items(of: .anyText), "a sentence for each thing that was refused: what, why, what to do"),
        ]
    }
}
