// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import TestSupport

/// What clients say, as JSON-RPC: the inputs of the other walks, and what only a service is asked for.
struct Sayings {
    let options: Options
    var inputs: Inputs
    /// What plays, and how the motors are called now.
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

    static func text(_ method: String, _ params: [String], _ id: Int?) -> String {
        let id = id.map { #""id":\#($0),"# } ?? ""
        return #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":{\#(params.joined(separator: ","))}}"#
    }

    /// `isInBatch`: what is answered later is refused then.
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
        let param = random.one(of: [#""feedback":"off""#, #""feedback":"soft""#, #""deadlineMs":0.001"#, #""feedback":"sofd""#])
        if param.contains("off") { for index in items.indices { items[index].sent.isSilent = true } }
        if param.contains("sofd") {
            sent.mustFail = true
            for index in items.indices { (items[index].sent.mustFail, items[index].sent.isUndone) = (true, true) }
        }
        items.insert((Self.text("transaction", [param], sent.id), sent), at: 0)
    }

    // MARK: Inputs, cancels, settings

    private mutating func request(
        _ sent: inout Sent, _ item: BatchItem, of client: WalkClient, _ number: Int, isInBatch: Bool, at now: MonotonicInstant
    ) -> (String, [String]) {
        switch item {
        case .input(let input):
            let app = "c\(client.connection).\(number)"
            (sent.app, sent.result) = (app, "seq")
            var (method, params) = params(of: input)
            if case .play(let play) = input.kind { params += context(&sent, of: play, isInBatch: isInBatch) }
            if sent.mustFail { sent.app = nil }
            params.append(#""app":"\#(app)""#)
            if let id = input.id { params.append(#""id":"\#(id)""#) }
            if input.feedback == .off { params.append(#""feedback":"off""#) }
            // Without an instant it is one of when it is read.
            if input.at < now { params.append(#""atNs":\#(max(0, input.at.nanoseconds))"#) }
            return (method, params)
        case .cancel(let request):
            sent.result = "cancelled"
            let mode = #""mode":"\#(request.mode.rawValue)""#
            switch request.target {
            case .all:
                sent.mustFail = !client.isPrivileged
                return ("cancel", [#""all":true"#, mode])
            case .source(let id): return ("cancel", [#""id":"\#(id)""#, mode])
            case .playback(let playback): return ("cancel", [#""playback":\#(playback.value)"#, mode])
            }
        case .change(let change):
            sent.result = "profile"
            (sent.mustFail, sent.isSetting) = (!client.isPrivileged, client.isPrivileged)
            return ("settings", [#""set":{\#(Self.text(of: change, at: now))}"#])
        }
    }

    private func params(of input: Input) -> (String, [String]) {
        switch input.kind {
        case .progress(let progress): return ("progress", [#""value":\#(progress.value.value)"#])
        case .release: return ("release", [])
        case .event(let event):
            var params = [#""name":"\#(event.name)""#]
            switch event.value {
            case .null: params.append(#""value":null"#)
            case .string(let text): params.append(#""value":"\#(text.string)""#)
            case .number(let number): params.append(#""value":\#(number)"#)
            case .bool(let value): params.append(#""value":\#(value)"#)
            default: break
            }
            return ("event", params + (event.feedbackClass.map { [#""class":"\#($0.rawValue)""#] } ?? []))
        case .present(let present):
            let ids = present.ids.map { "\"\($0.string)\"" }.joined(separator: ",")
            return ("present", [#""name":"\#(present.name)","ids":[\#(ids)],"more":\#(present.continues)"#])
        case .hold(let hand):
            let lease = hand.lease.map { [#""leaseMs":\#($0.inMilliseconds)"#] } ?? []
            return ("hold", [#""state":"\#(hand.state.rawValue)""#] + lease)
        case .task(let state): return ("task", [#""state":"\#(state.rawValue)""#])
        case .play(let play):
            var params = [
                #""pattern":"\#(play.pattern.name)","class":"\#(play.feedbackClass.rawValue)","intensity":\#(play.intensity.value)"#
            ]
            if let train = play.train {
                let curve = train.curve == .charge ? "charge" : "linear"
                params.append(#""steps":\#(train.steps),"durationMs":\#(train.duration.inMilliseconds),"curve":"\#(curve)""#)
            }
            if play.repetitions > 1 { params.append(#""repeat":\#(play.repetitions)"#) }
            if let actuators = play.actuators {
                params.append(#""actuators":[\#(actuators.map { "\"\(motorNames[$0.value])\"" }.joined(separator: ","))]"#)
            }
            switch play.spread {
            case nil: break
            case .stagger(let stagger):
                params.append(#""staggerMs":\#(stagger.interval.inMilliseconds),"from":"\#(stagger.origin.rawValue)""#)
            case .handOver(let handOver):
                let (to, time) = (motorNames[handOver.to.value], handOver.duration.inMilliseconds)
                params.append(#""handOver":{"to":"\#(to)","durationMs":\#(time)}"#)
            }
            return ("play", params)
        }
    }

    private mutating func context(_ sent: inout Sent, of play: PlayInput, isInBatch: Bool) -> [String] {
        sent.result = "playback"
        sent.endsWithClient = play.endsWithClient
        var params: [String] = []
        if options.has(.awaited), random.chance(2) {
            params.append(#""wait":true"#)
            (sent.isAwaited, sent.mustFail) = (!isInBatch, isInBatch)
        }
        if sent.isAwaited || play.endsWithClient { params.append(#""ends":"\#(play.endsWithClient ? "client" : "itself")""#) }
        return params
    }

    private static func text(of change: SettingsChange, at now: MonotonicInstant) -> String {
        var members: [String] = []
        func text(_ change: SettingsChange.Change<Strength>) -> String {
            if case .set(let strength) = change { "\(strength.value)" } else { "null" }
        }
        if case .set(let profile) = change.profile { members.append(#""profile":"\#(profile.rawValue)""#) }
        if let strength = change.strength { members.append(#""strength":\#(text(strength))"#) }
        switch change.off {
        case .set(.until(let end)): members.append(#""off":{"forMs":\#((end - now).inMilliseconds)}"#)
        case .set(.forGood): members.append(#""off":true"#)
        case .restore: members.append(#""off":false"#)
        case nil: break
        }
        switch change.classes {
        case .set(let classes):
            members.append(#""classes":{\#(classes.map { "\"\($0.rawValue)\":\(text($1))" }.joined(separator: ","))}"#)
        case .restore: members.append(#""classes":null"#)
        case nil: break
        }
        if case .set(let apps) = change.apps {
            members.append(#""apps":{\#(apps.map { "\"\($0.string)\":\(text($1))" }.joined(separator: ","))}"#)
        }
        if change.quietHours != nil {
            members.append(#""quietHours":[{"from":"22:00","to":"07:00","except":{"classes":["alarm"]}}]"#)
        }
        return members.joined(separator: ",")
    }

    // MARK: What only a service is asked for

    private mutating func question(
        _ sent: inout Sent, of client: WalkClient, _ number: Int, isInBatch: Bool
    ) -> (String, [String]) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where !isInBatch:
            // It has to be known from when on it holds.
            let topics = Topic.allCases.filter { _ in random.chance(2) }
            (sent.id, sent.result, sent.topics) = (number, "topics", Set(topics))
            return ("subscribe", [#""topics":[\#(topics.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]"#])
        case 1:
            (sent.result, sent.mustFail) = ("patterns", isInBatch)
            return ("prepare", [#""patterns":["soft","\#(random.one(of: inputs.board.playable).name)"]"#])
        case 2 where options.clientFaults.contains(.reload):
            (sent.result, sent.mustFail) = ("changed", isInBatch || !client.isPrivileged)
            return ("reload", [])
        case 3 where options.clientFaults.contains(.rubbish):
            sent.mustFail = true
            return random.one(of: [
                ("vibrate", []), ("progress", []), ("progress", [#""value":2"#]), ("event", [#""nam":"door.opened""#]),
                ("play", [#""pattern":"sofd""#]), ("cancel", []), ("prepare", [#""patterns":["sofd"]"#]),
                ("subscribe", [#""topics":["all"]"#]),
            ])
        case 4 where random.chance(3):
            let maySuspend = client.user == 0 || client.user == Served.ownUser
            (sent.result, sent.mustFail) = ("cancelled", isInBatch || !maySuspend)
            return ("cancel", [#""all":true,"untilResumed":true"#])
        default:
            let newest = Int.random(in: 1...400, using: &random)
            let (method, result) = random.one(of: [
                ("status", "version"), ("patterns", "patterns"), ("actuators", "actuators"), ("rpc.discover", "components"),
                ("history", "entries"), ("profile", "profile"), ("settings", "profile"),
            ])
            sent.result = result
            guard method == "history" else { return (method, []) }
            return (method, random.one(of: [[], [#""last":100"#], [#""last":7,"before":\#(newest)"#], [#""seq":\#(newest)"#]]))
        }
    }
}
