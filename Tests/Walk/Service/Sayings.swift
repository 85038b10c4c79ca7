// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticPlanning
import HapticWire
import TestSupport

/// The lines of clients in JSON-RPC: the inputs of the other walks, and the requests that only a service has.
struct Sayings {
    let options: Options
    var inputs: Inputs
    /// The current playbacks and the names of the motors.
    var playing: [UInt64] = []
    var motorNames: [String] = []
    private var random: SplitMix64

    init(_ board: Board, _ options: Options, seed: UInt64) {
        self.options = options
        inputs = Inputs(board, options, seed: seed)
        random = SplitMix64(seed: ~seed)
    }

    /// A line of one request, or a batch.
    mutating func line(of client: WalkClient, at now: MonotonicInstant) -> (text: String, sent: [Sent]) {
        guard options.has(.batches), random.chance(6) else {
            var (text, sent) = request(of: client, isInBatch: false, at: now)
            sent.isHeld = sent.isSetting
            return (text, [sent])
        }
        let count = Int.random(in: 2...8, using: &random)
        var items = (0..<count).map { _ in request(of: client, isInBatch: true, at: now) }
        if options.has(.transactions), random.chance(2) { begin(&items, of: client) }
        if items.contains(where: { $0.sent.isSetting }) { for index in items.indices { items[index].sent.isHeld = true } }
        return ("[\(items.map { $0.text }.joined(separator: ","))]", items.map { $0.sent })
    }

    /// - Parameter params: An object.
    static func text(_ method: String, _ params: String, _ id: Int?) -> String {
        let id = id.map { #""id":\#($0),"# } ?? ""
        return #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":\#(params)}"#
    }

    /// - Parameter isInBatch: Requests that are answered later are refused in a batch.
    private mutating func request(of client: WalkClient, isInBatch: Bool, at now: MonotonicInstant) -> (text: String, sent: Sent)
    {
        let number = client.nextNumber()
        var sent = Sent(id: random.chance(4) ? nil : number)
        let (method, params) =
            random.chance(5)
            ? question(&sent, of: client, number, isInBatch: isInBatch)
            : request(
                &sent, inputs.item(of: ClientIdentity(connection: client.connection, user: client.user), at: now, playing),
                of: client, number, isInBatch: isInBatch, at: now)
        return (Self.text(method, params, sent.id), sent)
    }

    /// Puts a `transaction` before `items`.
    private mutating func begin(_ items: inout [(text: String, sent: Sent)], of client: WalkClient) {
        var sent = Sent(id: client.nextNumber(), result: "feedback")
        let param = random.one(of: [
            #"{"feedback":"off"}"#, #"{"feedback":"soft"}"#, #"{"deadlineMs":0.001}"#, #"{"feedback":"sofd"}"#,
        ])
        if param.contains("off") { for index in items.indices { items[index].sent.isSilent = true } }
        if param.contains("sofd") {
            sent.mustFail = true
            for index in items.indices {
                items[index].sent.isUndone = true
                if !items[index].sent.isRelease { items[index].sent.mustFail = true }
            }
        }
        items.insert((Self.text("transaction", param, sent.id), sent), at: 0)
    }

    // MARK: Inputs, cancels, settings

    private mutating func request(
        _ sent: inout Sent, _ item: BatchItem, of client: WalkClient, _ number: Int, isInBatch: Bool, at now: MonotonicInstant
    ) -> (String, String) {
        switch item {
        case .input(let input):
            (sent.app, sent.result) = ("c\(client.connection).\(number)", "seq")
            var (method, params) = params(&sent, of: input, isInBatch: isInBatch)
            (params.id, params.app) = (input.id, sent.app)
            if input.feedback == .off { params.feedback = .off }
            // Without an instant the input counts as of its reading.
            if input.at < now { params.atNs = max(0, input.at.nanoseconds) }
            if sent.mustFail { sent.app = nil }
            return (method, params.words)
        case .cancel(let request):
            (sent.result, sent.mustFail) = ("cancelled", request.target == .all && !client.isPrivileged)
            return ("cancel", CancelParams(request.target, mode: request.mode).words)
        case .change(let change):
            sent.result = "profile"
            (sent.mustFail, sent.isSetting) = (!client.isPrivileged, client.isPrivileged)
            var new = NewSettings()
            (new.profile, new.strength, new.classes) = (change.profile, change.strength, change.classes)
            (new.apps, new.quietHours) = (change.apps, change.quietHours)
            switch change.off {
            case nil: break
            case .restore: new.off = .restore
            case .set(.forGood): new.off = .set(.forGood)
            case .set(.until(let end)): new.off = .set(.for(end - now))
            }
            return ("settings", SettingsParams(set: new).words)
        case .condition(let request):
            (sent.result, sent.mustFail) = ("name", request.isOn && !client.isPrivileged)
            return ("condition", ConditionParams(request.name, on: request.isOn).words)
        }
    }

    private mutating func params(_ sent: inout Sent, of input: Input, isInBatch: Bool) -> (String, any InputParams) {
        switch input.kind {
        case .progress(let progress): return ("progress", ProgressParams(value: progress.value))
        case .release: return ("release", ReleaseParams())
        case .event(let event):
            var params = EventParams(name: event.name, value: event.value)
            params.feedbackClass = event.feedbackClass
            return ("event", params)
        case .present(let present):
            return ("present", PresentParams(name: present.name, ids: present.ids.map(\.string), more: present.continues))
        case .hold(let hold):
            var params = HoldParams(id: input.id!, state: hold.state)
            params.leaseMs = hold.lease?.inMilliseconds
            sent.isRelease = hold.state == .up
            return ("hold", params)
        case .task(let state): return ("task", TaskParams(id: input.id!, state: state))
        case .play(let play):
            (sent.result, sent.endsWithClient) = ("playback", play.endsWithClient)
            var params = PlayParams(pattern: .named(play.pattern.name))
            (params.intensity, params.feedbackClass, params.repeat) = (play.intensity, play.feedbackClass, play.repetitions)
            (params.steps, params.durationMs) = (play.train?.steps, play.train?.duration.inMilliseconds)
            (params.curve, params.actuators) = (play.train?.curve, play.actuators?.map { motorNames[$0.value] })
            switch play.spread {
            case nil: break
            case .stagger(let stagger): (params.staggerMs, params.from) = (stagger.interval.inMilliseconds, stagger.origin)
            case .handOver(let over):
                params.handOver = HandOverParams(to: motorNames[over.to.value], durationMs: over.duration.inMilliseconds)
            }
            if options.has(.awaited), random.chance(2) {
                params.wait = true
                (sent.isAwaited, sent.mustFail) = (!isInBatch, isInBatch)
            }
            params.ends = play.endsWithClient ? .client : .itself
            return ("play", params)
        }
    }

    // MARK: What only a service is asked for

    private mutating func question(_ sent: inout Sent, of client: WalkClient, _ number: Int, isInBatch: Bool) -> (String, String)
    {
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where !isInBatch:
            // `Receiver` has to know when the subscription begins.
            let topics = Set(Topic.allCases.filter { _ in random.chance(2) })
            (sent.id, sent.result, sent.topics) = (number, "topics", topics)
            return ("subscribe", SubscribeParams(topics: topics).words)
        case 1:
            (sent.result, sent.mustFail) = ("patterns", isInBatch)
            return ("prepare", PrepareParams(patterns: ["soft", random.one(of: inputs.board.playable).name]).words)
        case 2 where options.clientFaults.contains(.reload):
            (sent.result, sent.mustFail) = ("changed", isInBatch || !client.isPrivileged)
            return ("reload", "{}")
        case 3 where options.clientFaults.contains(.rubbish):
            sent.mustFail = true
            return random.one(of: [
                ("vibrate", "{}"), ("progress", "{}"), ("progress", #"{"value":2}"#), ("event", #"{"nam":"door.opened"}"#),
                ("play", #"{"pattern":"sofd"}"#), ("cancel", "{}"), ("prepare", #"{"patterns":["sofd"]}"#),
                ("subscribe", #"{"topics":["all"]}"#),
            ])
        case 4 where random.chance(3):
            let maySuspend = client.user == 0 || client.user == Served.ownUser
            (sent.result, sent.mustFail) = ("cancelled", isInBatch || !maySuspend)
            return ("cancel", #"{"all":true,"untilResumed":true}"#)
        default:
            let (method, params, result) = random.one(of: [
                ("status", "{}", "version"), ("patterns", "{}", "patterns"), ("actuators", "{}", "actuators"),
                ("rpc.discover", "{}", "openrpc"), ("settings", "{}", "profile"),
                ("history", #"{"last":100}"#, "entries"), ("history", #"{"last":7,"before":90}"#, "entries"),
            ])
            sent.result = result
            return (method, params)
        }
    }
}

extension WireCall {
    /// The params as a request has them.
    fileprivate var words: String { String(decoding: WireWriter.params(self), as: UTF8.self) }
}
