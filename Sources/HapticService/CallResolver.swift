// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine
internal import HapticFormats
public import HapticPatterns
public import HapticPlanning
internal import HapticText
public import HapticWire

/// Makes the items of a batch from a client's calls: looks up the names in them. Pure.
public struct CallResolver {
    private let configuration: EngineConfiguration
    /// What inline patterns may use.
    private let library: [Text: Pattern]
    private let actuatorNames: [String]
    private let actuatorIndices: [Text: ActuatorIndex]
    /// What the line at hand may still cost.
    public var work = WorkBudget()
    /// The app of the connection of the line at hand, whatever its inputs say; nil: it has none.
    private(set) var app: String?
    /// What the inputs of the line at hand have that do not say it themselves.
    private(set) var defaults = InputDefaults()

    public init(_ configuration: EngineConfiguration, library: [Text: Pattern] = [:]) {
        self.configuration = configuration
        self.library = library
        actuatorNames = configuration.actuators.map(\.name)
        let indices = actuatorNames.enumerated().map { (Text($1), ActuatorIndex($0)) }
        actuatorIndices = Dictionary(indices, uniquingKeysWith: { first, _ in first })
    }

    /// The calls that follow are those of another line, which has so many bytes and messages. `app`: that of its connection.
    public mutating func beginLine(bytes: Int, messages: Int = 1, app: String? = nil) {
        self.app = app
        work = WorkBudget(lineOf: bytes, messages: messages)
        defaults = InputDefaults()
    }

    /// The inputs that follow in this line have what `params` say, where they do not say it themselves. A pattern is read and charged
    /// here, once.
    public mutating func begin(_ params: TransactionParams) throws(WireError) -> TransactionResult {
        defaults = InputDefaults(
            feedback: try feedback(params.feedback), intensity: params.intensity, app: app ?? params.app,
            deadlineMs: params.deadlineMs)
        return defaults.result
    }

    /// The item of one of `Methods.all`; nil where the engine does not decide it. `readAt`: when the call was read.
    public mutating func item(
        _ call: some WireCall, of client: ClientIdentity, readAt: MonotonicInstant
    ) throws(WireError) -> BatchItem? {
        try (call as? any ServedCall)?.item(&self, of: client, readAt: readAt)
    }

    /// `parts`: the earlier parts, if this is the last part of a pattern.
    mutating func item(
        _ params: PlayParams, after parts: PatternParts?, of client: ClientIdentity, readAt: MonotonicInstant
    ) throws(WireError) -> BatchItem {
        let item = try input(params, .play(try play(params, after: parts)), of: client, readAt: readAt)
        if case .input(let input) = item, case .pattern(let replacement) = input.feedback { try check(replacement, params) }
        return item
    }

    mutating func input(
        _ params: some InputParams, _ kind: Input.Kind, of client: ClientIdentity, readAt: MonotonicInstant
    ) throws(WireError) -> BatchItem {
        .input(
            Input(
                client: client, id: params.id, app: app ?? params.app ?? defaults.app,
                at: try InputInstant(params.atNs, of: kind, readAt: readAt).instant,
                deadline: (params.deadlineMs ?? defaults.deadlineMs).flatMap { Nanoseconds(seconds: $0 / 1000) },
                feedback: try feedback(params.feedback) ?? defaults.feedback ?? .normal, kind: kind))
    }

    private mutating func play(_ params: PlayParams, after parts: PatternParts?) throws(WireError) -> PlayInput {
        let pattern = try pattern(params.pattern, path: "pattern", after: parts)
        try check(pattern, params)
        let actuators = try params.actuators.map { names throws(WireError) in try self.actuators(names) }
        return PlayInput(
            pattern: pattern, train: params.train, intensity: params.intensity ?? defaults.intensity ?? .one,
            sharpness: params.sharpness,
            feedbackClass: params.feedbackClass ?? .interaction, actuators: actuators,
            spread: try spread(params, over: actuators), repetitions: params.repeat ?? 1, fit: params.fit,
            endsWithClient: params.endsWithClient)
    }

    /// Refuses to play over and over what waits for something.
    private func check(_ pattern: PlayablePattern, _ params: PlayParams) throws(WireError) {
        guard !pattern.phases.isEmpty else { return }
        for (member, isGiven) in [("steps", params.steps != nil), ("repeat", params.repeat ?? 1 > 1)] where isGiven {
            throw .invalid(
                member, "does not go with a pattern whose phases last until something ends them; leave it out, or play another")
        }
    }

    /// `actuators` nil: all of them.
    private mutating func spread(_ params: PlayParams, over actuators: [ActuatorIndex]?) throws(WireError) -> Spread? {
        // A positive time that rounds to nothing is the shortest there is.
        func time(_ milliseconds: Double) -> Nanoseconds {
            max(Nanoseconds(seconds: milliseconds / 1000) ?? .zero, Nanoseconds(1))
        }
        if let milliseconds = params.staggerMs {
            let stagger = Stagger(interval: time(milliseconds), origin: params.from ?? .first)
            let count = actuators?.count ?? actuatorNames.count
            guard stagger.length(over: count) <= Stagger.longest else {
                throw .invalid(
                    "staggerMs",
                    "is too long for \(count) actuators: the last one would begin more than \(Stagger.longest) after the first"
                )
            }
            return .stagger(stagger)
        }
        guard let params = params.handOver else { return nil }
        let to = try actuator(params.to, path: "handOver.to")
        if actuators?.contains(to) == true {
            throw .invalid("handOver.to", "is one of `actuators`, where it begins; name another one")
        }
        return .handOver(HandOver(to: to, duration: params.durationMs.map(time) ?? HandOver.standardDuration))
    }

    private mutating func feedback(_ reference: FeedbackReference?) throws(WireError) -> Input.FeedbackOverride? {
        switch reference {
        case nil: nil
        case .normal: .normal
        case .off: .off
        case .pattern(let reference): .pattern(try pattern(reference, path: "feedback"))
        }
    }

    mutating func optionalPattern(_ reference: PatternReference?, path: String) throws(WireError) -> PlayablePattern? {
        guard let reference else { return nil }
        return try pattern(reference, path: path)
    }

    private mutating func pattern(
        _ reference: PatternReference, path: String, after parts: PatternParts? = nil
    ) throws(WireError) -> PlayablePattern {
        switch reference {
        case .named(let name):
            return try self.pattern(name, path: path)
        case .inline(let tree):
            guard work.take((parts?.entryCount ?? 0) * WorkBudget.Cost.partEntry) else {
                throw WireError(
                    .quota,
                    "the last part of this pattern costs more than its line may; put less into that line, and send all of the pattern again"
                )
            }
            try takeUses(of: tree, path: path)
            let pattern = try read(tree, path: path, after: parts)
            let cost = PlayablePattern.renderingCost(of: pattern)
            guard cost <= WorkBudget.inlinePattern else {
                throw .invalid(
                    path,
                    "is too long for what sounds in it at once; make it shorter or simpler, or put its file into a directory that `patterns` of the configuration names, and play it by its name"
                )
            }
            guard work.take(cost) else {
                throw WireError(
                    .quota,
                    "the patterns in this batch are too much at once; send fewer in a line, or name patterns of files that `patterns` of the configuration names"
                )
            }
            return PlayablePattern(pattern)
        }
    }

    private func read(_ tree: Node, path: String, after parts: PatternParts?) throws(WireError) -> Pattern {
        do throws(InvalidDocument) {
            return try PatternReader.pattern(wire: tree, path: path, known: library, after: parts)
        } catch {
            throw WireError(error)
        }
    }

    /// Sees to it that what an inline pattern uses is there, and takes from the line what it costs to put it together.
    private mutating func takeUses(of tree: Node, path: String) throws(WireError) {
        let uses = PatternUse.uses(in: tree, path: path)
        if let use = uses.first(where: { library[$0.name] == nil }) {
            throw unknown("pattern", use.name.string, path: use.path, among: library.keys.sorted().map(\.string))
        }
        let entries = PatternUse.entries(of: uses, library)
        guard entries <= Pattern.Limit.composedEntries else {
            throw WireError(.invalidParams, "`\(path)`: \(PatternError.tooMuchComposed(entries))", data: .init(path: path))
        }
        guard work.take(entries * WorkBudget.Cost.composedEntry) else {
            throw WireError(
                .quota,
                "the patterns in this batch are too much at once; send fewer in a line, or name patterns of files that `patterns` of the configuration names"
            )
        }
    }

    /// The pattern of this name. `path` is the member that named it.
    public mutating func pattern(_ name: String, path: String) throws(WireError) -> PlayablePattern {
        if let pattern = configuration.patterns[Text(name)] { return pattern }
        if PulsesHint.isMeant(by: Text(name)) {
            throw WireError(
                .invalidParams, "`\(path)`: unknown pattern \(quoted(name)); \(PulsesHint.pattern)", data: .init(path: path))
        }
        throw unknown("pattern", name, path: path, among: configuration.patternNames)
    }

    /// The pattern that `patterns` asks for by its name, with its outline.
    public mutating func outlined(_ name: String) throws(WireError) -> (pattern: PlayablePattern, outline: Outline) {
        let pattern = try pattern(name, path: "name")
        guard work.take(Outline.cost(of: pattern.timeline)) else {
            throw WireError(
                .quota, "the outlines of this line are too much at once; ask for fewer in a line, or for a shorter pattern",
                data: .init(path: "name"))
        }
        return (pattern, Outline(pattern.timeline))
    }

    /// Returns `name`; throws if no condition of the configuration has it.
    mutating func condition(_ name: String, path: String) throws(WireError) -> String {
        guard work.take(configuration.conditionRules.count * WorkBudget.Cost.conditionRule) else {
            throw WireError(
                .quota, "the conditions of this line are too much at once; send fewer in a line", data: .init(path: path))
        }
        let known = configuration.conditionRules.map(\.name)
        guard !known.contains(where: { Text($0) == Text(name) }) else { return name }
        guard !known.isEmpty else {
            throw WireError(
                .invalidParams, "`\(path)`: unknown condition \(quoted(name)); add it to `conditions` of the configuration",
                data: .init(path: path))
        }
        throw unknown("condition", name, path: path, among: known, listedBy: "`conditions` of the configuration")
    }

    /// The indices of the actuators, each once.
    public mutating func actuators(_ names: [String]) throws(WireError) -> [ActuatorIndex] {
        var found: [ActuatorIndex] = []
        for (index, name) in names.enumerated() {
            let actuator = try actuator(name, path: "actuators[\(index)]")
            if !found.contains(actuator) { found.append(actuator) }
        }
        return found
    }

    private mutating func actuator(_ name: String, path: String) throws(WireError) -> ActuatorIndex {
        guard let actuator = actuatorIndices[Text(name)] else {
            throw unknown("actuator", name, path: path, among: actuatorNames)
        }
        return actuator
    }

    /// The rule that an event of this name nearly matches, as far as the line may cost that; `nil` if there is none.
    public mutating func nearRule(to name: String) -> NearRule? {
        guard work.take(NearRule.cost(of: name, among: configuration.eventRules.count)) else { return nil }
        return NearRule(to: name, among: configuration.eventRules.lazy.map(\.match))
    }

    /// What was meant instead is looked for as far as the line may cost that.
    private mutating func unknown(
        _ kind: String, _ name: String, path: String, among known: [String], listedBy list: String? = nil
    ) -> WireError {
        let bytes = min(64, name.utf8.count) * known.reduce(0) { $0 + min(64, $1.utf8.count) }
        // They are compared with all names, and once more if none is near.
        guard work.take(2 * (known.count * WorkBudget.Cost.candidate + bytes * WorkBudget.Cost.comparison)) else {
            return WireError(
                .invalidParams, "`\(path)`: unknown \(kind) \(quoted(name)); \(list ?? "`\(kind)s`") lists them",
                data: .init(path: path))
        }
        let word = kind == "pattern" ? UnknownWord(pattern: name, candidates: known) : UnknownWord(kind, name, candidates: known)
        return WireError(
            .invalidParams, "`\(path)`: \(word.message)", data: .init(path: path, didYouMean: word.didYouMean))
    }
}
