// SPDX-License-Identifier: MIT
public import HapticCore

/// How a press and hold is felt.
public struct HoldRule: Hashable, Sendable, Codable {
    /// Which holds it is for.
    public enum Match: Hashable, Sendable, Codable {
        /// The one of this name, which only a device can press.
        case device(String)
        /// Those of clients whose id matches.
        case clients(Glob)

        /// `id`: that of `key`, as a string.
        fileprivate func isFor(_ key: OwnedID, _ id: String) -> Bool {
            switch self {
            case .device(let name): key.user == nil && key.id == Text(name)
            case .clients(let glob): key.user != nil && glob.matches(id)
            }
        }
    }

    public var match: Match
    public var shape: HoldShape
    /// Of a step.
    public var feedback: RuleFeedback
    /// The pattern of the press itself, of the class `interaction`; nil: nothing is felt before the charge.
    public var pressed: String?
    /// The pattern in which the confirmation is felt; nil: as a step.
    public var complete: String?
    /// The class of the confirmation where `complete` names a pattern.
    public var completeClass: FeedbackClass

    public init(
        match: Match, shape: HoldShape = HoldShape(), feedback: RuleFeedback, pressed: String? = nil,
        complete: String? = nil, completeClass: FeedbackClass = .notification
    ) {
        self.match = match
        self.shape = shape
        self.feedback = feedback
        self.pressed = pressed
        self.complete = complete
        self.completeClass = completeClass
    }

    /// That of the first rule for a hold.
    static func index(for key: OwnedID, among rules: [HoldRule]) -> Int? {
        let id = key.id.string
        // By index: a closure gets a copy of each rule, with all that it names.
        return rules.indices.first { rules[$0].match.isFor(key, id) }
    }

    /// As decisions name it.
    var text: String {
        switch match {
        case .device(let name): name
        case .clients(let glob): glob.text
        }
    }
}
