// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticEngine
internal import HapticWire

/// What the line at hand asks for, from `read` to `decide`. Its memory is kept for the next one.
struct LineAtHand {
    /// What is to be said to one request.
    enum Step {
        /// To a notification.
        case nothing
        case reply(Reply)
        /// What this item of the transaction comes to, by its index.
        case item(Int, Answer)
        /// A question, answered once the items have been decided.
        case question(any ServedCall, wantsReply: Bool)
    }

    /// What becomes of a call while its line is read.
    enum Taken {
        case answered(Reply)
        case item(BatchItem, Answer)
        case question
    }

    /// To an item of the transaction.
    enum Answer {
        /// To a notification.
        case nothing
        case plain
        case play
        /// Settings without apps and quiet hours: the line cannot pay for more.
        case settingsInShort
        /// Once the playback has ended.
        case ending
        /// Once every output is off.
        case rest
    }

    /// With what the line may still cost.
    var resolver: CallResolver
    private(set) var client: Client?
    private(set) var readAt = MonotonicInstant.zero
    private(set) var items: [BatchItem] = []
    private(set) var steps: [Step] = []
    /// Somebody who wants a reply has set something.
    private(set) var changesSettings = false
    /// The bytes of the line that no part of a pattern has counted.
    private var uncountedBytes = 0
    /// What is said to all that stands behind a `transaction` that was refused: nothing of it is done with other defaults than it
    /// was meant to have.
    private(set) var refusal: WireError?
    /// The status of this line, once somebody has asked for it.
    var status: WrittenResult?

    init(_ resolver: CallResolver) { self.resolver = resolver }

    mutating func begin(_ client: Client, bytes: Int, requests: Int, readAt: MonotonicInstant) {
        end()
        self.client = client
        self.readAt = readAt
        uncountedBytes = bytes
        resolver.beginLine(bytes: bytes, messages: requests, app: client.app)
    }

    mutating func append(_ step: Step) { steps.append(step) }

    /// The bytes of the line at the first call, then 0: several parts in one line count its bytes once.
    mutating func takeBytes() -> Int {
        defer { uncountedBytes = 0 }
        return uncountedBytes
    }

    /// The `transaction` that stands here was refused for `error`.
    mutating func refuseRest(for error: WireError) {
        let message = "not done, for the `transaction` of this batch was refused: \(error.message)"
        refusal = WireError(.invalidRequest, message)
    }

    mutating func append(_ item: BatchItem, _ answer: Answer) {
        steps.append(.item(items.count, answer))
        items.append(item)
        if case .change = item, answer != .nothing { changesSettings = true }
    }

    mutating func end() {
        client = nil
        changesSettings = false
        (refusal, status) = (nil, nil)
        items.removeAll(keepingCapacity: true)
        steps.removeAll(keepingCapacity: true)
    }
}

/// One line of a client is one transaction, taken in two steps: what it asks for may take its time to be looked up, and is
/// decided when that is done.
extension FeedbackService {
    /// Takes what `client` has said in one line of `bytes` bytes, read at `readAt`: counts each request, looks whether it may,
    /// and looks up what is named in it. Each is charged to the line before it is done. `decide` follows.
    public func read(
        _ requests: [Request], bytes: Int, of client: Client, readAt: MonotonicInstant, at now: MonotonicInstant
    ) {
        line.begin(client, bytes: bytes, requests: requests.count, readAt: readAt)
        for index in requests.indices { read(requests[index], of: client, at: now) }
    }

    private func read(_ request: Request, of client: Client, at now: MonotonicInstant) {
        // The first `hello` of a connection is not charged: opening the connection costs more.
        let isGreeting = client.begins(with: request)
        let isRelease = isRelease(request, of: client)
        if !isGreeting, !isRelease, !endsPattern(request, of: client), let error = charge(client, at: now) {
            return refuse(request, for: error, .quota, of: client, at: now)
        }
        do throws(WireError) {
            if !isRelease { try client.checkGreeting(request) }
            let call = try request.call.get()
            if isStopping { throw .shuttingDown }
            if let refusal = line.refusal, !isRelease { throw refusal }
            try call.checkAccess(in: self, for: client, at: now)
            switch try call.take(in: self, for: client) {
            case .answered(let reply): line.append(request.wantsReply ? .reply(reply) : .nothing)
            case .question: line.append(.question(call, wantsReply: request.wantsReply))
            case .item(var item, let answer):
                if case .change = item, request.wantsReply, pending.storing.isFull {
                    throw WireError(.quota, "too many wait for settings to be stored already; try again later")
                }
                if let gap = client.gap, item.take(gap) { client.gapIsPassedOn() }
                line.append(item, request.wantsReply ? answer : .nothing)
            }
        } catch {
            let reason: Reason =
                switch error.code {
                case ErrorCode.notAllowed.rawValue: .notAllowed
                case ErrorCode.shuttingDown.rawValue: .shutdown
                default: .invalidParams
                }
            if !request.wantsReply, reason == .invalidParams { statistics.invalidNotifications += 1 }
            refuse(request, for: error, reason, of: client, at: now)
        }
    }

    /// Whether `request` is the first of its line to release a hold that `client` presses. No rate refuses that, or a hold would be
    /// confirmed that was released.
    private func isRelease(_ request: Request, of client: Client) -> Bool {
        guard case .success(let call) = request.call, let id = call.releasedHold, loop.engine.presses(id, by: client.identity)
        else { return false }
        return !line.items.contains { item in
            guard case .input(let input) = item, case .hold(let hand) = input.kind, hand.state == .up else { return false }
            return input.id.map { Text($0) == Text(id) } ?? false
        }
    }

    /// Takes from the line at hand the cost of ending a phase of each playback, those included that the line begins.
    func chargeAdvance() throws(WireError) {
        let begun = line.items.count { if case .input = $0 { true } else { false } }
        let cost = (loop.engine.playbackCount + begun) * WorkBudget.Cost.advancedPlayback
        guard line.resolver.work.take(min(cost, WorkBudget.Cost.mostAdvances)) else {
            throw WireError(.quota, "this line ends too many phases; send `all` with `mode: advance` once in a line")
        }
    }

    /// Answers a request with `error`. A notification has no answer: it is shown as a decision.
    private func refuse(
        _ request: Request, for error: WireError, _ reason: Reason, of client: Client, at now: MonotonicInstant
    ) {
        if request.method is TransactionParams.Type { line.refuseRest(for: error) }
        if request.isHello { client.refuseGreeting(for: error) }
        refusePart(request, for: error, of: client)
        line.append(request.wantsReply ? .reply(.error(error)) : .nothing)
        // Who has an answer for it may say it again.
        if !request.wantsReply || request.isAnonymous, let part = request.part {
            client.miss(PresentGap(reason: reason, name: part.name, continues: part.more))
        }
        let isSilent = Canary.is("over-rate-notification-silent") && reason == .quota
        guard !request.wantsReply, !isSilent, let input = request.input else { return }
        let subject = (try? request.call.get())?.subject ?? Subject()
        let mistake = reason == .invalidParams ? Self.mistake(error) : nil
        let refusal = EngineEvent.refusal(
            input, source: subject.source, name: subject.name,
            app: line.resolver.app ?? subject.app ?? line.resolver.defaults.app,
            reason,
            mistake: mistake, client: client.identity)
        pass(refusal, at: now)
    }

    /// The sentence about a notification, as others may read it: whoever sent it named its members.
    private static func mistake(_ error: WireError) -> String {
        // Readers refuse these, and with them the whole answer.
        guard !error.message.hasTooManyMarks else { return "a name in it has too many marks on one letter; leave some out" }
        let sentence = Substring(Text(error.message).prefix(bytes: Decision.mostMistake)).printable
        return Text(sentence).prefix(bytes: Decision.mostMistake)
    }

    /// Decides the line that was read last. `replies` gets one for each of its requests, in their order, in place of what was in
    /// it; nil where there is none to give.
    public func decide(at now: MonotonicInstant, into replies: inout [Reply?]) {
        replies.removeAll(keepingCapacity: true)
        guard let client = line.client else { return }
        let now = max(now, line.readAt)
        // What a time has brought about is nobody's.
        if now >= loop.engine.offEnd || now >= noted.quietTurn { pass(.time, at: now) }
        let handedOut = decideLine(at: now)
        let change = line.changesSettings ? pending.wait(forStorageOf: loop.engine.settings.chosen, of: client.connection) : nil
        for step in line.steps.indices {
            switch line.steps[step] {
            case .nothing: replies.append(nil)
            case .reply(let reply): replies.append(reply)
            case .item(let index, let answer):
                let result = loop.actions.results[index]
                let reply = reply(result, answer, of: client, isStored: change != nil, at: now)
                if let change, case .changed = result, let reply {
                    replies.append(.onceStored(reply, change))
                } else {
                    replies.append(reply)
                }
            case .question(let call, let wantsReply):
                replies.append(call.answer(in: self, for: client, wantsReply: wantsReply, at: now))
            }
        }
        line.end()
        settle(at: now, handedOut: handedOut, by: client.peer)
    }

    private func reply(
        _ result: ItemResult, _ answer: LineAtHand.Answer, of client: Client, isStored: Bool, at now: MonotonicInstant
    ) -> Reply? {
        guard answer != .nothing else { return nil }
        switch result {
        case .cancelled(let count):
            let result = CancelResult(cancelled: count)
            return answer == .rest ? rest(result, of: client) : .result(result)
        case .changed(let settings):
            return .result(settingsResult(settings, at: now, isStored: isStored, inShort: answer == .settingsInShort))
        case .notChanged(let error): return .error(.invalid("set.apps", "has too many apps: \(error)"))
        case .condition(let change): return change.reply
        case .decided(let decision, _) where answer == .plain: return .result(DecisionResult(decision))
        case .decided(let decision, let summary):
            let played = PlayResult(decision, summary: summary)
            guard answer == .ending, let playback = decision.playback else { return .result(played) }
            return .later(pending.wait(for: playback, played, of: client.connection))
        }
    }

    // MARK: Coming to rest

    private func rest(_ result: CancelResult, of client: Client) -> Reply {
        guard let ticket = pending.wait(forRest: result, of: client.connection) else {
            return .error(WireError(.quota, "too many wait for everything to be off already; try again later"))
        }
        outputs.append(.rest(ticket))
        return .later(ticket)
    }

    /// What came of `Output.rest`: whether every output is off.
    public func rested(_ ticket: Ticket, isOff: Bool) {
        guard let result = pending.rested(ticket) else { return }
        let error = WireError(
            .internalError,
            "everything is cancelled, but a device has not shown that it is off; `hapticctl actuators` names one that hangs")
        outputs.append(.reply(isOff ? .result(result) : .error(error), ticket))
    }
}

extension BatchItem {
    /// False where it is no part of a set.
    fileprivate mutating func take(_ gap: PresentGap) -> Bool {
        guard case .input(var input) = self, case .present(var present) = input.kind else { return false }
        present.gap = gap
        input.kind = .present(present)
        self = .input(input)
        return true
    }
}
