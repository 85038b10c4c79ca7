// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import TestSupport

/// What clients say, at random, as JSON-RPC; and what may be answered to it.
struct Sayings {
    let board: Board
    let options: Options
    let service: ServiceOptions
    var arranger: Arranger
    var hands: Hands
    /// What holds and tasks there are.
    var handJudge = HandJudge()
    /// What plays, for whoever would end one of these.
    var playing: [UInt64] = []
    /// Those of it that have an open phase.
    var open: [(id: UInt64, source: Oracle.Source?)] = []
    var motorNames: [String] = []

    /// A line of one request, or a batch.
    mutating func line(
        of client: WalkClient, at now: MonotonicInstant, _ random: inout SplitMix64
    ) -> (text: String, sent: [Sent]) {
        guard options.features.contains(.batches), Int.random(in: 0..<6, using: &random) == 0 else {
            var (text, sent) = request(of: client, isInBatch: false, at: now, &random)
            sent.isHeld = sent.isSetting
            return (text, [sent])
        }
        var items: [(text: String, sent: Sent)] = []
        for _ in 0..<Int.random(in: 2...8, using: &random) {
            items.append(request(of: client, isInBatch: true, at: now, &random))
        }
        if let kind = arranger.transaction(on: board) { begin(kind, &items, of: client) }
        if items.contains(where: { $0.sent.isSetting }) { for index in items.indices { items[index].sent.isHeld = true } }
        return ("[\(items.map { $0.text }.joined(separator: ","))]", items.map { $0.sent })
    }

    /// `isInBatch`: what is answered later is refused then.
    mutating func request(
        of client: WalkClient, isInBatch: Bool, at now: MonotonicInstant, _ random: inout SplitMix64
    ) -> (text: String, sent: Sent) {
        let number = client.nextNumber()
        var sent = Sent(id: Int.random(in: 0..<4, using: &random) > 0 ? number : nil)
        if service.rate != nil { sent.errors.insert(ErrorNumber.quota) }
        let name: String
        var params: [String]
        if let ending = ending(&sent, by: client) {
            (name, params) = ending
            if !sent.mustFail, name == "release" {
                sent.app = "c\(client.connection).\(number)"
                params += context(&sent, client, number, at: now, &random)
            }
            return (Self.text(name, params, sent.id), sent)
        }
        if let saying = hands.say(as: client.user, handJudge).first {
            (sent.result, sent.app) = ("seq", "c\(client.connection).\(number)")
            let (name, params) = Self.params(of: saying)
            return (Self.text(name, params + [#""app":"c\#(client.connection).\#(number)""#], sent.id), sent)
        }
        switch Int.random(in: 0..<28, using: &random) {
        case 0...6: (name, params) = progress(&sent, &random)
        case 7...8: (name, params, sent.result) = ("release", [], "seq")
        case 9...11: (name, params) = event(&sent, &random)
        case 12...18: (name, params) = play(&sent, isInBatch: isInBatch, &random)
        case 19: (name, params) = cancel(&sent, by: client, isInBatch: isInBatch, &random)
        case 20: (name, params) = settings(&sent, by: client, number, &random)
        case 21 where !isInBatch:
            // It has to be known from when on it holds.
            sent.id = number
            (name, params) = subscribe(&sent, number, &random)
        case 22: (name, params) = prepare(&sent, isInBatch: isInBatch, &random)
        case 23:
            let (question, member) = [
                ("status", "version"), ("patterns", "patterns"), ("actuators", "actuators"), ("rpc.discover", "components"),
                ("history", "entries"),
            ].randomElement(using: &random)!
            (name, params, sent.result) = (question, Self.params(of: question, &random), member)
            // What is before it in its line may have cost what a line may cost.
            if isInBatch { sent.errors.insert(ErrorNumber.quota) }
        case 24 where service.faults.contains(.reload): (name, params) = reload(&sent, by: client, isInBatch: isInBatch)
        case 25...26 where service.faults.contains(.rubbish):
            return wrong(number, sent, &random)
        default: (name, params) = progress(&sent, &random)
        }
        if Self.isInput(name) {
            if !sent.mustFail { sent.app = "c\(client.connection).\(number)" }
            params += context(&sent, client, number, at: now, &random)
        }
        return (Self.text(name, params, sent.id), sent)
    }

    private static func isInput(_ name: String) -> Bool { ["progress", "release", "event", "play"].contains(name) }

    static func text(_ method: String, _ params: [String], _ id: Int?) -> String {
        let id = id.map { #""id":\#($0),"# } ?? ""
        return #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":{\#(params.joined(separator: ","))}}"#
    }

    /// Who it is of and when it happened.
    private func context(
        _ sent: inout Sent, _ client: WalkClient, _ number: Int, at now: MonotonicInstant, _ random: inout SplitMix64
    ) -> [String] {
        var params = [#""app":"c\#(client.connection).\#(number)""#]
        if sent.source == nil, options.features.contains(.namedSources) {
            sent.source = [nil, "a", "b", "c", "d"].randomElement(using: &random)!
        }
        if let id = sent.source { params.append(#""id":"\#(id)""#) }
        if options.features.contains(.oldInputs), Bool.random(using: &random) {
            let age = Nanoseconds.milliseconds([0, 50, 5000].randomElement(using: &random)! as Int64)
            params.append(#""atNs":\#(max(0, (now - age).nanoseconds))"#)
        }
        return params
    }

    // MARK: Inputs

    private static func params(of saying: Hands.Saying) -> (String, [String]) {
        switch saying {
        case .hold(let id, let hand):
            (
                "hold",
                [#""id":"\#(id)""#, #""state":"\#(hand.state.rawValue)""#]
                    + (hand.lease.map { [#""leaseMs":\#($0.inMilliseconds)"#] } ?? [])
            )
        case .task(let id, let state): ("task", [#""id":"\#(id)""#, #""state":"\#(state.rawValue)""#])
        case .event(let name): ("event", [#""name":"\#(name)""#])
        case .present(let name, let ids, let more):
            (
                "present",
                [#""name":"\#(name)""#, #""ids":[\#(ids.map { "\"\($0)\"" }.joined(separator: ","))]"#]
                    + (more ? [#""more":true"#] : [])
            )
        }
    }

    private func progress(_ sent: inout Sent, _ random: inout SplitMix64) -> (String, [String]) {
        sent.result = "seq"
        return ("progress", [#""value":\#(Double(Int.random(in: 0...50, using: &random)) / 50)"#])
    }

    private func event(_ sent: inout Sent, _ random: inout SplitMix64) -> (String, [String]) {
        sent.result = "seq"
        let name = ["payment.succeeded", "sync.state", "sync.other", "nothing"].randomElement(using: &random)!
        var params = [#""name":"\#(name)""#]
        if let value = [nil, "null", #""failed""#, "1", "true"].randomElement(using: &random)! {
            params.append(#""value":\#(value)"#)
        }
        if Bool.random(using: &random) { params.append(#""class":"alarm""#) }
        return ("event", params)
    }

    private mutating func play(_ sent: inout Sent, isInBatch: Bool, _ random: inout SplitMix64) -> (String, [String]) {
        sent.result = "playback"
        let movement = arranger.movement(of: board)
        if movement != nil { sent.source = arranger.id() }
        let pattern = movement ?? board.playable.randomElement(using: &random)!.name
        var request = Request(pattern: pattern)
        let feedbackClass = FeedbackClass.allCases.randomElement(using: &random)!
        var params = [
            #""pattern":"\#(pattern)""#, #""class":"\#(feedbackClass.rawValue)""#,
            #""intensity":\#(Double(Int.random(in: 2...100, using: &random)) / 100)"#,
        ]
        if movement == nil, options.features.contains(.trains), Bool.random(using: &random) {
            let steps = Int.random(in: 2...77, using: &random)
            let milliseconds = Int64.random(in: 1...3000, using: &random)
            let isCharge = Bool.random(using: &random)
            request.train = .init(steps: steps, length: milliseconds * 1_000_000, isCharge: isCharge)
            params.append(#""steps":\#(steps),"durationMs":\#(milliseconds),"curve":"\#(isCharge ? "charge" : "linear")""#)
        }
        if movement == nil, options.features.contains(.repetitions) {
            request.repetitions = Int.random(in: 1...3, using: &random)
            params.append(#""repeat":\#(request.repetitions)"#)
        }
        let chosen = motorNames.filter { _ in Bool.random(using: &random) }
        if Bool.random(using: &random), !chosen.isEmpty {
            // A reload may have given them other names.
            sent.errors.insert(ErrorNumber.params)
            params.append(#""actuators":[\#(chosen.map { "\"\($0)\"" }.joined(separator: ","))]"#)
            request.motors = chosen.map(Board.number)
        }
        params += spread(&request, &sent)
        if options.features.contains(.awaited), Bool.random(using: &random) {
            params.append(#""wait":true"#)
            if isInBatch { sent = refused(sent, ErrorNumber.params) } else { sent.isAwaited = true }
        }
        if options.features.contains(.awaited), Bool.random(using: &random) {
            sent.endsWithClient = Bool.random(using: &random)
            params.append(#""ends":"\#(sent.endsWithClient ? "client" : "itself")""#)
        } else {
            sent.endsWithClient = sent.isAwaited
        }
        sent.request = request
        return ("play", params)
    }

    /// It can be answered by an error alone.
    func refused(_ sent: Sent, _ code: Int) -> Sent {
        var sent = sent
        sent.errors.insert(code)
        sent.mustFail = true
        return sent
    }

    // MARK: All else

    /// Which part of a list is asked for.
    private static func params(of question: String, _ random: inout SplitMix64) -> [String] {
        switch question {
        case "history":
            let newest = Int.random(in: 1...400, using: &random)
            return [[], [#""last":1"#], [#""last":100"#], [#""last":7,"before":\#(newest)"#], [#""seq":\#(newest)"#]]
                .randomElement(using: &random)!
        case "patterns": return Bool.random(using: &random) ? [#""after":"m""#] : []
        default: return []
        }
    }

    private func cancel(
        _ sent: inout Sent, by client: WalkClient, isInBatch: Bool, _ random: inout SplitMix64
    ) -> (String, [String]) {
        sent.result = "cancelled"
        let mode = #""mode":"\#(Bool.random(using: &random) ? "graceful" : "immediate")""#
        switch Int.random(in: 0..<13, using: &random) {
        case 0:
            sent.errors.insert(ErrorNumber.quota)
            if isInBatch {
                sent = refused(sent, ErrorNumber.params)
            } else if client.user != 0, client.user != Served.ownUser {
                sent = refused(sent, ErrorNumber.notAllowed)
            }
            return ("cancel", [#""all":true,"untilResumed":true"#])
        case 1...4:
            if !client.isPrivileged { sent = refused(sent, ErrorNumber.notAllowed) }
            return ("cancel", [#""all":true"#, mode])
        case 5...8: return ("cancel", [#""id":"\#(["a", "b", "c"].randomElement(using: &random)!)""#, mode])
        default:
            if !client.isPrivileged { sent.errors.insert(ErrorNumber.notAllowed) }
            return ("cancel", [#""playback":\#(playing.randomElement(using: &random) ?? 1)"#, mode])
        }
    }

    /// Which of them is by its number: a seed that is older than the settings has the random numbers that it had.
    private func settings(
        _ sent: inout Sent, by client: WalkClient, _ number: Int, _ random: inout SplitMix64
    ) -> (String, [String]) {
        sent.result = "profile"
        let method = number % 2 == 0 ? "profile" : "settings"
        guard options.features.contains(.profiles) else { return (method, []) }
        if client.isPrivileged {
            sent.errors.insert(ErrorNumber.notStored)
            sent.isSetting = true
        } else {
            sent = refused(sent, ErrorNumber.notAllowed)
        }
        let profile = Bool.random(using: &random) ? Profile.full : Profile.allCases.randomElement(using: &random)!
        let choice = #""profile":"\#(profile.rawValue)""#
        guard method == "settings" else { return (method, [#""set":"\#(profile.rawValue)""#]) }
        let what = [
            choice, #""off":{"forMs":\#(50 * (number % 11 + 1))}"#, #""off":false"#, #""strength":0.5,\#(choice)"#,
            #""strength":null"#, #""classes":{"texture":0,"alarm":null}"#, #""classes":null,"off":null"#,
            #""apps":{"a \#(number)":0.5},"quietHours":[]"#,
        ][number / 2 % 8]
        return (method, [#""set":{\#(what)}"#])
    }

    private func subscribe(_ sent: inout Sent, _ number: Int, _ random: inout SplitMix64) -> (String, [String]) {
        sent.result = "topics"
        let topics = Topic.allCases.filter { $0 == .settings ? number % 2 == 0 : Bool.random(using: &random) }
        sent.topics = Set(topics)
        return ("subscribe", [#""topics":[\#(topics.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]"#])
    }

    private func prepare(_ sent: inout Sent, isInBatch: Bool, _ random: inout SplitMix64) -> (String, [String]) {
        sent.result = "patterns"
        sent.errors.insert(ErrorNumber.quota)
        if isInBatch { sent = refused(sent, ErrorNumber.request) }
        return ("prepare", [#""patterns":["soft","\#(board.playable.randomElement(using: &random)!.name)"]"#])
    }

    private func reload(_ sent: inout Sent, by client: WalkClient, isInBatch: Bool) -> (String, [String]) {
        sent.result = "changed"
        sent.errors.formUnion([ErrorNumber.quota, ErrorNumber.configuration])
        if isInBatch {
            sent = refused(sent, ErrorNumber.request)
        } else if !client.isPrivileged {
            sent = refused(sent, ErrorNumber.notAllowed)
        }
        return ("reload", [])
    }

    /// What cannot be done by anyone.
    private func wrong(_ number: Int, _ sent: Sent, _ random: inout SplitMix64) -> (text: String, sent: Sent) {
        let (method, params, code) = [
            ("vibrate", "", ErrorNumber.method), ("progress", "", ErrorNumber.params),
            ("progress", #""value":2"#, ErrorNumber.params), ("event", #""nam":"door.opened""#, ErrorNumber.params),
            ("play", #""pattern":"sofd""#, ErrorNumber.params), ("cancel", "", ErrorNumber.params),
            ("prepare", #""patterns":["sofd"]"#, ErrorNumber.params), ("subscribe", #""topics":["all"]"#, ErrorNumber.params),
        ].randomElement(using: &random)!
        var sent = refused(sent, code)
        // In a batch that is so whatever is in it.
        if method == "prepare" { sent.errors.insert(ErrorNumber.request) }
        return (Self.text(method, [params], sent.id), sent)
    }
}
