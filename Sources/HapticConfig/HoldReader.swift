// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticInputs
internal import HapticText

/// Reads `holds`: those of devices, by name and input, and those of clients, by a glob.
struct HoldReader {
    private let references: References
    private var seen = EarlierRules()
    private(set) var rules: [HoldRule] = []
    private(set) var inputs: InputTable

    init(_ references: References, _ inputs: InputTable) {
        self.references = references
        self.inputs = inputs
    }

    static let form = Form<[NodeReader]>.list(
        of: Form(.either([.object(HoldDraft.deviceKeys.map(\.member)), .object(HoldDraft.clientKeys.map(\.member))])) { $0 },
        count: 0...ConfigurationReader.ruleLimit)

    mutating func read(_ entries: [NodeReader]) {
        for entry in entries { read(entry) }
        // Whoever configures a key wants to feel the holds of clients as before.
        guard !rules.contains(where: { if case .clients = $0.match { true } else { false } }) else { return }
        rules += Configuration.builtInHoldRules
    }

    private mutating func read(_ entry: NodeReader) {
        guard case .object(let members) = entry.node.content else {
            return entry.failExpected("a device's hold (`name` and `input`), or a rule for those of clients (`match`)")
        }
        let isOfDevice = members.contains { $0.key.string == "name" || $0.key.string == "input" }
        let isOfClients = members.contains { $0.key.string == "match" }
        guard isOfDevice != isOfClients else {
            return entry.fail(
                isOfDevice
                    ? "a hold is a device's (`name` and `input`) or of clients (`match`); make two of it, or take one out"
                    : "whose hold is it? give `name` and `input` for a device's, or `match` for those of clients")
        }
        var draft = HoldDraft(references: references)
        if isOfDevice {
            if entry.read(HoldDraft.deviceKeys, into: &draft) { addDevice(draft, entry) }
        } else if entry.read(HoldDraft.clientKeys, into: &draft), let match = draft.match.flatMap({ seen.glob($0, when: nil) }),
            let rule = draft.rule(.clients(match))
        {
            rules.append(rule)
        }
    }

    private mutating func addDevice(_ draft: HoldDraft, _ entry: NodeReader) {
        guard let field = draft.name, let name = HoldDraft.nameForm.read(field)?.string, let source = draft.input else { return }
        let purpose = InputPurpose.hold(Text(name))
        if inputs.has(purpose) { field.fail("the name \(quoted(name)) is taken by a hold before; give each its own") }
        inputs.add(purpose, source, draft.inputField, entry)
        if let rule = draft.rule(.device(name)) { rules.append(rule) }
    }
}

/// A hold's rule while it is read.
struct HoldDraft {
    let references: References
    var match: NodeReader?
    var name: NodeReader?
    var input: InputSource?
    var inputField: NodeReader?
    var shape = HoldShape()
    var pattern: String? = standardPattern
    /// Nil: none is given, or it could not be read.
    var pressed: String?
    var complete: String? = standardCompletion
    var completeClass = FeedbackClass.notification
    /// Without its pattern.
    var feedback = RuleFeedback(pattern: "", feedbackClass: .texture)

    init(references: References) { self.references = references }

    static let nameForm = Form<Text>.name()

    static let deviceKeys: [Key<Self>] =
        [
            .required(
                "name", nameForm.unread,
                "the name in decisions and in the events `NAME.confirmed` and `NAME.released`; unique, and not usable by clients"
            ) { $0.name = $1 },
            .required("input", InputSource.form.unread, "the key, button or switch") {
                ($0.inputField, $0.input) = ($1, InputSource.form.read($1))
            },
        ] + shapeKeys

    static let clientKeys: [Key<Self>] =
        [.required("match", EarlierRules.form.unread, "a glob for the id of the hold of a client") { $0.match = $1 }] + shapeKeys

    private static let shapeKeys: [Key<Self>] = chargeKeys + feedbackKeys

    private static let chargeKeys: [Key<Self>] = [
        .optional(
            "press", .duration(in: .zero...HoldShape.longestPress), default: "\(HoldShape().press)",
            "the time of the press before the charge begins"
        ) { $0.shape.press = $1 },
        .optional(
            "duration", .duration(in: .milliseconds(10)...HoldShape.longestDuration), default: "\(HoldShape().duration)",
            "the duration of the charge, from 0 to 1"
        ) { $0.shape.duration = $1 },
        .optional(
            "curve", .choice(of: StepTrain.Ramp.self, "curve"), default: "`\(HoldShape().curve.rawValue)`",
            "`charge` begins slowly and accelerates; `linear` is even"
        ) { $0.shape.curve = $1 },
        .optional(
            "fall", .duration(in: .zero...HoldShape.longestFall), default: "\(HoldShape().fall)",
            "the duration of a fall from 1 to 0 after the release"
        ) { $0.shape.fall = $1 },
        .optional(
            "step", RuleDraft.stepForm, default: plainText(HoldShape().gate.step), "the distance from one felt step to the next"
        ) { $0.shape.gate.step = $1.value },
        .optional(
            "mode", .choice(of: GateConfiguration.Mode.self, "mode"), default: "`\(HoldShape().gate.mode.rawValue)`",
            "`relative`: a step counts from the last felt one; `grid`: the multiples of `step`"
        ) { $0.shape.gate.mode = $1 },
    ]

    private static let feedbackKeys: [Key<Self>] = [
        .optional("pattern", References.patternForm, default: "`\(standardPattern)`", "the pattern of a step") {
            $0.pattern = $0.references.pattern($1)
        },
        .optional(
            "class", .choice(of: FeedbackClass.self, "class"), default: "`\(FeedbackClass.texture.rawValue)`",
            "the class of a step"
        ) { $0.feedback.feedbackClass = $1 },
        .optional("intensity", .share(Intensity.self), default: "1", "a factor for the intensity of all patterns") {
            $0.feedback.intensity = $1
        },
        .optional(
            "priority", .integer(in: References.priorities), default: "of the class", "the priority; a higher one pre-empts"
        ) {
            $0.feedback.priority = $1
        },
        .optional("actuators", References.actuatorsForm, default: "all", "the names of the actuators") {
            $0.feedback.actuators = $0.references.actuators($1)
        },
        .optional("pressed", References.patternForm, "the pattern of the press itself, of the class `interaction`") {
            $0.pressed = $0.references.pattern($1)
        },
        .optional("complete", References.patternForm, default: "`\(standardCompletion)`", "the pattern of the confirmation") {
            $0.complete = $0.references.pattern($1)
        },
        .optional(
            "completeClass", .choice(of: FeedbackClass.self, "class"), default: "`\(FeedbackClass.notification.rawValue)`",
            "the class of the confirmation"
        ) { $0.completeClass = $1 },
    ]

    private static let standardPattern = "soft"
    private static let standardCompletion = "success"

    func rule(_ match: HoldRule.Match) -> HoldRule? {
        guard let pattern, let complete else { return nil }
        var feedback = feedback
        feedback.pattern = pattern
        return HoldRule(
            match: match, shape: shape, feedback: feedback, pressed: pressed, complete: complete, completeClass: completeClass)
    }
}
