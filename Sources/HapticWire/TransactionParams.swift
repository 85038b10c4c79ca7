// SPDX-License-Identifier: MIT
public import HapticCore

/// What the inputs behind it in its batch have where they do not say it themselves.
public struct TransactionParams: Encodable, Sendable, DescribedParams {
    public var feedback: FeedbackReference?
    public var intensity: Intensity?
    /// 1 to 128 bytes.
    public var app: String?
    /// 0…60,000.
    public var deadlineMs: Double?

    public init(
        feedback: FeedbackReference? = nil, intensity: Intensity? = nil, app: String? = nil, deadlineMs: Double? = nil
    ) {
        self.feedback = feedback
        self.intensity = intensity
        self.app = app
        self.deadlineMs = deadlineMs
    }

    static let blank = Self()

    static let members: [Param<Self>] = [
        .feedback { $0.feedback = $1 }, .intensity { $0.intensity = $1 }, .app { $0.app = $1 }, .deadline { $0.deadlineMs = $1 },
    ]
}

/// The defaults now in force, with all members, null where there is none.
public struct TransactionResult: Codable, Hashable, Sendable {
    /// `normal`, `off`, or the pattern's name.
    public var feedback: String?
    public var intensity: Double?
    public var app: String?
    public var deadlineMs: Double?

    public init(feedback: String?, intensity: Double?, app: String?, deadlineMs: Double?) {
        self.feedback = feedback
        self.intensity = intensity
        self.app = app
        self.deadlineMs = deadlineMs
    }

    private enum CodingKeys: CodingKey { case feedback, intensity, app, deadlineMs }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(feedback, forKey: .feedback)
        try container.encode(intensity, forKey: .intensity)
        try container.encode(app, forKey: .app)
        try container.encode(deadlineMs, forKey: .deadlineMs)
    }
}
