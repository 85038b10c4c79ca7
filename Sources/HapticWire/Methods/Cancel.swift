// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// The end of playbacks: by `id`, by `playback`, or of all.
public struct CancelParams: WireCall {
    public typealias Result = CancelResult

    public static let method = "cancel"
    public static let summary = "stop playbacks: exactly one of `id`, `playback` and `all` selects them"

    // Exactly one of these three is given.
    private var id: String?
    private var playback: UInt64?
    private var all: Bool?
    public var mode = CancelMode.graceful
    private var untilResumedFlag: Bool?

    private init() {}

    public init(_ target: CancelTarget, mode: CancelMode = .graceful) {
        switch target {
        case .source(let id): self.id = id
        case .playback(let playback): self.playback = playback.value
        case .all: all = true
        }
        self.mode = mode
    }

    /// Switches everything off; nothing begins until the machine has slept.
    public static var untilResumed: CancelParams {
        var params = CancelParams(.all, mode: .immediate)
        params.untilResumedFlag = true
        return params
    }

    public var target: CancelTarget {
        if let id { return .source(id: id) }
        if let playback { return .playback(PlaybackID(playback)) }
        return .all
    }

    /// Nothing begins until the machine has slept. Only with `all`, and always `immediate`.
    public var untilResumed: Bool { untilResumedFlag == true }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .optional("id", \.id, .text(), "the playbacks of this source"),
        .optional("playback", \.playback, .integer(in: 1...UInt64(Int64.max)), "this playback"),
        .optional("all", \.all, .boolean, "`true`: all playbacks"),
        .defaulted(
            "mode", \.mode, .choice(),
            """
            `graceful` (without it): fades out within 50 ms; `immediate`: switches off; `advance`: ends the present or the next phase \
            with `until: advanced`, and the playback continues
            """),
        .optional(
            "untilResumed", \.untilResumedFlag, .boolean,
            """
            `true`, with `all`: off immediately, and nothing begins until the machine has slept, 10 s at most. For root and the user of \
            the daemon; not in a batch
            """),
    ]

    public func check(at place: LinePlace) throws(WireError) {
        guard untilResumed, place != .alone else { return }
        throw .invalid("untilResumed", "is not possible in a batch; send the request by itself")
    }

    public mutating func check() throws(WireError) {
        let targets = [("id", id != nil), ("playback", playback != nil), ("all", all != nil)].filter(\.1).map(\.0)
        guard targets.count == 1 else {
            throw .invalid(
                targets.dropFirst().first ?? "id",
                targets.isEmpty
                    ? "is missing; give one of `id`, `playback` and `all`"
                    : "is one too many; give one of `id`, `playback` and `all`")
        }
        if all == false { throw .invalid("all", "must be true, or left out") }
        guard untilResumed else { return }
        guard all == true else { throw .invalid("untilResumed", "needs `all: true`; give both, or neither") }
        mode = .immediate
    }
}

public struct CancelResult: WireResult {
    public var cancelled: Int

    public init(cancelled: Int) { self.cancelled = cancelled }

    public static let blank = Self(cancelled: 0)

    public static let members: [WireMember<Self>] = [
        .required(
            "cancelled", \.cancelled, .whole,
            """
            the number of playbacks that ended, or whose phase `advance` ended; with `untilResumed`, sent once every output is \
            off
            """
        )
    ]
}
