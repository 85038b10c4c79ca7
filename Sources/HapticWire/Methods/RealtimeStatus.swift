// SPDX-License-Identifier: MIT

extension StatusResult {
    /// The configured requests of the executor to the kernel, and the answers.
    public struct Realtime: WireResult {
        /// The answers of the kernel.
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
                .nullable("priority", \.priority, .boolean, "whether the priority was granted; null: not requested"),
                .nullable("lockMemory", \.lockMemory, .boolean, "whether the lock was granted; null: not requested"),
                .nullable("cpu", \.cpu, .boolean, "whether the processor was granted; null: not requested"),
            ]
        }

        public var priority: Int?
        public var lockMemory: Bool
        public var cpu: Int?
        public var granted: Granted
        public var remedies: [String]

        /// Without arguments: no requests.
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
            .nullable("priority", \.priority, .whole, "the priority of SCHED_FIFO, 1…99; null: not requested"),
            .required("lockMemory", \.lockMemory, .boolean, "whether memory should be locked"),
            .nullable("cpu", \.cpu, .whole, "the processor of the executor, from 0; null: any"),
            .required("granted", \.granted, .object, "the answers of the kernel"),
            .required(
                "remedies", \.remedies, .items(of: .anyText), "a sentence for each refusal, with the reason and a remedy"),
        ]
    }
}
