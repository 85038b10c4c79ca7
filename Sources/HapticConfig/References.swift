// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticJSON

/// What classes and rules may name: the patterns and the actuators that there are.
struct References {
    private let patterns: Set<Text>
    private let actuators: [Text]

    init(patterns: Set<Text>, actuators: [Text]) {
        self.patterns = patterns
        self.actuators = actuators
    }

    private var patternNames: [String] { patterns.sorted().map(\.string) }

    func pattern(_ field: NodeReader?) -> String? {
        guard let field, let name = field.text() else { return nil }
        if patterns.contains(name) { return name.string }
        field.fail(unknownMessage("pattern", name.string, candidates: patternNames))
        return nil
    }

    /// Nil: none are named, so all.
    func actuators(_ field: NodeReader?) -> [ActuatorIndex]? {
        var indices: [ActuatorIndex] = []
        for entry in field?.list(count: 1...ConfigurationReader.actuatorLimit) ?? [] {
            guard let name = entry.text() else { continue }
            guard let index = actuators.firstIndex(of: name).map(ActuatorIndex.init) else {
                entry.fail(unknownMessage("actuator", name.string, candidates: actuators.map(\.string)))
                continue
            }
            if indices.contains(index) {
                entry.fail("\(quoted(name.string)) is already in the list; take one out")
            } else {
                indices.append(index)
            }
        }
        return field == nil ? nil : indices
    }

    // MARK: Classes

    /// The table of classes; what is left out stays as it is by default.
    func classes(_ reader: NodeReader) -> ClassTable {
        var table = ClassTable.standard
        let read: ClassTable? = reader.object { fields in
            for name in FeedbackClass.allCases {
                let policy = table[name]
                if let read = fields.optional(name.rawValue)?.object({ self.policy(&$0, policy) }) { table[name] = read }
            }
            return table
        }
        return read ?? table
    }

    private func policy(_ fields: inout FieldReader, _ standard: ClassPolicy) -> ClassPolicy? {
        var policy = standard
        if let priority = fields.optional("priority")?.integer(in: Self.priorities) { policy.priority = priority }
        if let field = fields.optional("deadline") { policy.deadline = field.isNone ? nil : field.duration(in: Self.deadlines) }
        if let field = fields.optional("limit") { policy.limitPerSecond = field.isNone ? nil : field.rate(in: Self.rates) }
        if let effect = fields.optional("quiet").flatMap(effect) { policy.quiet = effect }
        if let effect = fields.optional("reduced").flatMap(effect) { policy.reduced = effect }
        if let effect = fields.optional("silent").flatMap(effect) { policy.silent = effect }
        return policy
    }

    static let priorities = 0...100
    static let deadlines = Nanoseconds.milliseconds(1) ... .seconds(3600)
    static let rates = 1...100_000

    private func effect(_ field: NodeReader) -> ProfileEffect? {
        guard let text = field.text() else { return nil }
        switch text {
        case "full": return .full
        case "half": return .half
        case "nothing": return .nothing
        case let name where patterns.contains(name): return .pattern(name.string)
        default:
            let words = ["full", "half", "nothing"]
            field.fail(unknownMessage("effect or pattern", text.string, candidates: words + patternNames))
            return nil
        }
    }
}
