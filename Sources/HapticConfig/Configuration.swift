// SPDX-License-Identifier: MIT
private import HapticBackends
public import HapticCore
public import HapticEngine
private import HapticFormats
public import HapticInputs
public import HapticPatterns
import HapticPlanning

// sizes: plain values
/// Everything that `hapticd.yaml` says, validated as a whole.
public struct Configuration: Hashable, Sendable {
    public struct Socket: Hashable, Sendable {
        /// Nil: where the daemon puts it by itself.
        public var path: String?
        /// Permission bits.
        public var mode: UInt32
        /// The group that may connect; nil: the daemon's own.
        public var group: String?

        public init(path: String? = nil, mode: UInt32 = 0o660, group: String? = nil) {
            self.path = path
            self.mode = mode
            self.group = group
        }
    }

    public struct Realtime: Hashable, Sendable {
        /// Of SCHED_FIFO, 1…99; nil: ordinary scheduling.
        public var priority: Int?
        public var lockMemory: Bool
        /// The processor that the timing thread is pinned to; nil: any.
        public var cpu: Int?

        public init(priority: Int? = 40, lockMemory: Bool = true, cpu: Int? = nil) {
            self.priority = priority
            self.lockMemory = lockMemory
            self.cpu = cpu
        }
    }

    public var socket: Socket
    public var realtime: Realtime
    /// What is in force where people have set nothing. Never `off`.
    public var settings: Settings
    public var classes: ClassTable
    /// In which patterns the profile `reduced` keeps what a pattern means.
    public var meanings: KeptMeanings
    /// In the order of the file; an `ActuatorIndex` is an index in it. Names are unique.
    public var actuators: [ActuatorConfiguration]
    public var progressRules: [ProgressRule]
    public var eventRules: [EventRule]
    public var holdRules: [HoldRule]
    /// The keys, buttons and switches of holds and conditions.
    public var inputs: [DeviceInput]
    public var collectionRules: [CollectionRule]
    public var taskRules: [TaskRule]
    public var conditionRules: [ConditionRule]
    public var clientBounds: ClientBounds
    public var bounds: EngineBounds
    public var access: AccessRules
    /// By name: the built-in ones and those of the user's directories.
    public var patterns: [Text: Pattern]

    public init(
        socket: Socket = Socket(), realtime: Realtime = Realtime(), settings: Settings = Settings(),
        classes: ClassTable = .standard, meanings: KeptMeanings = .standard,
        actuators: [ActuatorConfiguration], progressRules: [ProgressRule], eventRules: [EventRule],
        collectionRules: [CollectionRule] = [], holdRules: [HoldRule] = [], inputs: [DeviceInput] = [],
        taskRules: [TaskRule] = [], conditionRules: [ConditionRule] = [],
        clientBounds: ClientBounds = .standard, bounds: EngineBounds = .standard, access: AccessRules = AccessRules(),
        patterns: [Text: Pattern]
    ) {
        self.socket = socket
        self.realtime = realtime
        self.settings = settings
        self.classes = classes
        self.meanings = meanings
        self.actuators = actuators
        self.progressRules = progressRules
        self.eventRules = eventRules
        self.holdRules = holdRules
        self.inputs = inputs
        self.collectionRules = collectionRules
        self.taskRules = taskRules
        self.conditionRules = conditionRules
        self.clientBounds = clientBounds
        self.bounds = bounds
        self.access = access
        self.patterns = patterns
    }

    public var profile: Profile { settings.profile ?? .full }

    /// What is used with no configuration at all: one simulated actuator `main` without limits, and few rules.
    public static let builtIn = Configuration(
        actuators: [ActuatorConfiguration(EngineActuator(name: "main"), backend: SimulatedBackend())],
        progressRules: builtInProgressRules, eventRules: builtInEventRules, collectionRules: builtInCollectionRules,
        holdRules: builtInHoldRules, taskRules: builtInTaskRules, patterns: BuiltInPatterns.byName)

    static let builtInProgressRules = [
        ProgressRule(
            match: Glob("*"), gate: GateConfiguration(step: 0.01),
            feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture), complete: "success")
    ]

    static let builtInEventRules =
        [("*.succeeded", "success"), ("*.failed", "error"), ("*.warning", "warning")].map {
            EventRule(match: Glob($0.0), feedback: RuleFeedback(pattern: $0.1, feedbackClass: .notification))
        }
        + ["touch.*", "key.*", "button.*"].map {
            EventRule(match: Glob($0), feedback: RuleFeedback(pattern: "tick", feedbackClass: .interaction))
        }

    /// For the holds of clients.
    static let builtInHoldRules = [
        HoldRule(
            match: .clients(Glob("*")), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture), complete: "success")
    ]

    static let builtInCollectionRules = [
        CollectionRule(
            match: Glob("*"), patterns: ThingPatterns(inserted: "tick", removed: "release", both: "selection"),
            feedback: RuleFeedback(pattern: "selection", feedbackClass: .interaction))
    ]

    static let builtInTaskRules = [
        TaskRule(
            match: Glob("*"), began: RuleFeedback(pattern: "start", feedbackClass: .interaction),
            succeeded: RuleFeedback(pattern: "success", feedbackClass: .notification),
            failed: RuleFeedback(pattern: "error", feedbackClass: .notification))
    ]

    /// The part that the engine decides by. Renders every pattern: call it once for each configuration. What was read from a file, and
    /// `builtIn`, have no mistake.
    public func engineConfiguration() throws(ConfigurationMistake) -> EngineConfiguration {
        try EngineConfiguration(
            settings: settings, classes: classes, meanings: meanings,
            actuators: actuators.map(\.engine),
            progressRules: progressRules, eventRules: eventRules, collectionRules: collectionRules, holdRules: holdRules,
            taskRules: taskRules, conditionRules: conditionRules,
            patterns: patterns.mapValues { PlayablePattern($0) },
            bounds: bounds)
    }
}
