// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// The defaults of the inputs that follow in the batch.
public struct TransactionParams: WireCall {
    public typealias Result = TransactionResult

    public static let method = "transaction"
    public static let summary = "defaults for the inputs of a batch; the first item of the batch"

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

    public func check(at place: LinePlace) throws(WireError) {
        switch place {
        case .firstOfBatch: return
        case .alone:
            throw WireError(
                .invalidRequest,
                "`transaction` is for a batch; send an array with it as the first item, and its inputs behind it")
        case .laterInBatch:
            throw WireError(.invalidRequest, "`transaction` must be the first item of its batch; put it there")
        }
    }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .feedback(\.feedback), .intensity(\.intensity), .app(\.app), .deadline(\.deadlineMs),
    ]
}

/// The defaults now in force; null if there is none.
public struct TransactionResult: WireResult {
    /// `normal`, `off`, or the pattern's name.
    public var feedback: String?
    public var intensity: Double?
    public var app: String?
    public var deadlineMs: Double?

    public init(feedback: String? = nil, intensity: Double? = nil, app: String? = nil, deadlineMs: Double? = nil) {
        self.feedback = feedback
        self.intensity = intensity
        self.app = app
        self.deadlineMs = deadlineMs
    }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .nullable("feedback", \.feedback, .anyText, "`normal`, `off`, or the name of a pattern"),
        .nullable("intensity", \.intensity, .amount, "the factor for the intensity of the inputs"),
        .nullable("app", \.app, .anyText, "the app of the inputs"),
        .nullable("deadlineMs", \.deadlineMs, .amount, "the greatest age of the inputs at the decision"),
    ]
}
