// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// The line at hand, which is one transaction. It is taken in two steps: what it asks for may take its time to be looked up, and is
/// decided when that is done. Its memory is kept for the next line.
final class CurrentLine {
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
        case onceOff
    }

    /// With what the line may still cost.
    var resolver: CallResolver
    private var client: Client?
    private(set) var readAt = MonotonicInstant.zero
    private var items: [BatchItem] = []
    private var steps: [Step] = []
    /// Somebody who wants a reply has set something.
    private var changesSettings = false
    /// The bytes of the line that no part of a pattern has counted.
    private var uncountedBytes = 0
    /// What is said to all that stands behind a `transaction` that was refused: nothing of it is done with other defaults than it
    /// was meant to have.
    private var refusal: WireError?
    /// The status of this line, once somebody has asked for it.
    var status: WrittenResult?

    init(_ resolver: CallResolver) { self.resolver = resolver }

    private func begin(_ client: Client, bytes: Int, requests: Int, readAt: MonotonicInstant) {
        end()
        self.client = client
        self.readAt = readAt
        uncountedBytes = bytes
        resolver.beginLine(bytes: bytes, messages: requests, app: client.app)
    }

    private func append(_ step: Step) { steps.append(step) }

    /// The bytes of the line at the first call, then 0: several parts in one line count its bytes once.
    func takeBytes() -> Int {
        defer { uncountedBytes = 0 }
        return uncountedBytes
    }

    /// The `transaction` that stands here was refused for `error`.
    private func refuseRest(for error: WireError) {
        let message = "not done, for the `transaction` of this batch was refused: \(error.message)"
        refusal = WireError(.invalidRequest, message)
    }

    private func append(_ item: BatchItem, _ answer: Answer) {
        steps.append(.item(items.count, answer))
        items.append(item)
        if case .change = item, answer != .nothing { changesSettings = true }
    }

    private func end() {
        client = nil
        changesSettings = false
        (refusal, status) = (nil, nil)
        items.removeAll(keepingCapacity: true)
        steps.removeAll(keepingCapacity: true)
    }

    // MARK: Reading

    /// Takes what `client` has said in one line of `bytes` bytes, read at `readAt`: counts each request, looks whether it may,
    /// and looks up what is named in it. Each is charged to the line before it is done.
    func read(
        _ requests: [Request], bytes: Int, of client: Client, readAt: MonotonicInstant, in service: FeedbackService,
        at now: MonotonicInstant
    ) {
        begin(client, bytes: bytes, requests: requests.count, readAt: readAt)
        for index in requests.indices { read(requests[index], of: client, in: service, at: now) }
    }

    private func read(_ request: Request, of client: Client, in service: FeedbackService, at now: MonotonicInstant) {
        // The first `hello` of a connection is not charged: opening the connection costs more.
        let isGreeting = client.begins(with: request)
        let isRelease = isRelease(request, of: client, in: service)
        // No rate refuses the last part of a pattern: the earlier parts were charged.
        let endsPattern = request.more == false && service.clients.begunPlays.hasBegun(of: client.connection)
        if !isGreeting, !isRelease, !endsPattern, let error = service.charge(client, at: now) {
            return refuse(request, for: error, .quota, of: client, in: service, at: now)
        }
        do throws(WireError) {
            if !isRelease { try client.checkGreeting(request) }
            let call = try request.call.get()
            if service.daemon.isStopping { throw .shuttingDown }
            if let refusal, !isRelease { throw refusal }
            try call.checkAccess(in: service, for: client, at: now)
            switch try call.take(in: service, for: client) {
            case .answered(let reply): append(request.wantsReply ? .reply(reply) : .nothing)
            case .question: append(.question(call, wantsReply: request.wantsReply))
            case .item(var item, let answer):
                if case .change = item, request.wantsReply, service.settings.storing.isFull {
                    throw WireError(.quota, "too many wait for settings to be stored already; try again later")
                }
                if let gap = client.gap, item.take(gap) { client.gapIsPassedOn() }
                append(item, request.wantsReply ? answer : .nothing)
            }
        } catch {
            let reason: Reason =
                switch error.code {
                case ErrorCode.notAllowed.rawValue: .notAllowed
                case ErrorCode.shuttingDown.rawValue: .shutdown
                default: .invalidParams
                }
            if !request.wantsReply, reason == .invalidParams { service.statistics.invalidNotifications += 1 }
            refuse(request, for: error, reason, of: client, in: service, at: now)
        }
    }

    /// Charges `client` for a line that cannot be read, see `FeedbackService.chargeUnusable`.
    func refuseUnusable(
        _ line: [UInt8], of client: Client, _ fault: WireError, in service: FeedbackService, at now: MonotonicInstant
    ) -> WireError? {
        client.noteUnreadable(line, fault)
        let error = service.charge(client, at: now)
        client.miss(PresentGap(reason: error == nil ? .invalidParams : .quota, name: nil, continues: nil))
        let missed = error ?? WireError(.parse, "a line could not be read")
        service.clients.begunPlays.mayHaveMissed(for: missed, of: client.connection)
        return error
    }

    /// Whether `request` is the first of its line to release a hold that `client` presses. No rate refuses that, or a hold would be
    /// confirmed that was released.
    private func isRelease(_ request: Request, of client: Client, in service: FeedbackService) -> Bool {
        guard case .success(let call) = request.call, let id = call.releasedHold,
            service.loop.engine.presses(id, by: client.identity)
        else { return false }
        return !items.contains { item in
            guard case .input(let input) = item, case .hold(let holdInput) = input.kind, holdInput.state == .up else {
                return false
            }
            return input.id.map { Text($0) == Text(id) } ?? false
        }
    }

    /// Takes from the line the cost of ending a phase of each playback, those included that the line begins.
    func chargeAdvance(in service: FeedbackService) throws(WireError) {
        let begun = items.count { if case .input = $0 { true } else { false } }
        let cost = (service.loop.engine.playbackCount + begun) * WorkBudget.Cost.advancedPlayback
        guard resolver.work.take(min(cost, WorkBudget.Cost.mostAdvances)) else {
            throw WireError(.quota, "this line ends too many phases; send `all` with `mode: advance` once in a line")
        }
    }

    /// Answers a request with `error`. A notification has no answer: it is shown as a decision.
    private func refuse(
        _ request: Request, for error: WireError, _ reason: Reason, of client: Client, in service: FeedbackService,
        at now: MonotonicInstant
    ) {
        if request.method is TransactionParams.Type { refuseRest(for: error) }
        if request.isHello { client.refuseGreeting(for: error) }
        service.clients.begunPlays.refuse(request, for: error, of: client)
        append(request.wantsReply ? .reply(.error(error)) : .nothing)
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
            app: resolver.app ?? subject.app ?? resolver.defaults.app,
            reason,
            mistake: mistake, client: client.identity)
        service.pass(refusal, at: now)
    }

    /// The sentence about a notification, as others may read it: whoever sent it named its members.
    private static func mistake(_ error: WireError) -> String {
        // Readers refuse these, and with them the whole answer.
        guard !error.message.hasTooManyMarks else { return "a name in it has too many marks on one letter; leave some out" }
        let sentence = Substring(Text(error.message).prefix(bytes: Decision.mostMistake)).printable
        return Text(sentence).prefix(bytes: Decision.mostMistake)
    }

    // MARK: Deciding

    /// Decides the line that was read last. `replies` gets one for each of its requests, in their order, in place of what was in
    /// it; nil where there is none to give.
    func decide(in service: FeedbackService, at now: MonotonicInstant, into replies: inout [Reply?]) {
        replies.removeAll(keepingCapacity: true)
        guard let client else { return }
        let now = max(now, readAt)
        // What a time has brought about is nobody's.
        if now >= service.loop.engine.offEnd || now >= service.settings.quietTurn { service.pass(.time, at: now) }
        let handedOut = decideItems(in: service, at: now)
        let change = changesSettings ? waitForStorage(client, in: service) : nil
        for step in steps.indices {
            switch steps[step] {
            case .nothing: replies.append(nil)
            case .reply(let reply): replies.append(reply)
            case .item(let index, let answer):
                let result = service.loop.actions.results[index]
                let reply = reply(result, answer, of: client, isStored: change != nil, in: service, at: now)
                if let change, case .changed = result, let reply {
                    replies.append(.onceStored(reply, change))
                } else {
                    replies.append(reply)
                }
            case .question(let call, let wantsReply):
                replies.append(call.answer(in: service, for: client, wantsReply: wantsReply, at: now))
            }
        }
        end()
        service.settle(at: now, handedOut: handedOut, by: client.peer)
    }

    /// Decides the items. What came of each is in `loop.actions.results` until `settle`, which is to be given what this returns.
    private func decideItems(in service: FeedbackService, at now: MonotonicInstant) -> Int {
        guard !items.isEmpty else { return 0 }
        let handedOut = service.decide(items, work: resolver.work, at: now)
        resolver.work = service.loop.engine.work
        for (index, result) in service.loop.actions.results.prefix(items.count).enumerated() {
            guard case .decided(let decision, _) = result else { continue }
            service.statistics.decided(decision, readAt: readAt)
            if case .input(let input) = items[index] { noteRefusals(by: decision, of: input.client, in: service, at: now) }
        }
        service.countByItself(from: items.count)
        return handedOut
    }

    private func noteRefusals(
        by decision: Decision, of client: ClientIdentity, in service: FeedbackService, at now: MonotonicInstant
    ) {
        if let bound = decision.bound {
            service.outputs.refused(service.configuration.engine.bounds.refusal(by: bound), to: client.user, at: now)
        }
        // Who lets go of what another connection holds asks for no right: no policy was asked.
        if decision.reason == .notAllowed, let policy = decision.policy {
            let privilege: Privilege = policy.objection == .access ? .classes : .cancelAll
            let refusal = service.clients.rights.refusal(of: privilege, isScoped: client.scope != nil)
            service.outputs.refused(refusal, to: client.user, at: now)
        }
    }

    /// The ticket for which the replies of this line wait; nil where the settings in force are stored.
    private func waitForStorage(_ client: Client, in service: FeedbackService) -> Ticket? {
        guard service.settings.storing.isToBeStored(service.loop.engine.settings.chosen) else { return nil }
        let ticket = service.pending.ticket(for: client.connection)
        service.settings.storing.add(ticket)
        return ticket
    }

    private func replyOnceOff(_ result: CancelResult, of client: Client, in service: FeedbackService) -> Reply {
        guard let ticket = service.pending.wait(forOff: result, of: client.connection) else {
            return .error(WireError(.quota, "too many wait for everything to be off already; try again later"))
        }
        service.outputs.append(.awaitOff(ticket))
        return .later(ticket)
    }

    private func reply(
        _ result: ItemResult, _ answer: Answer, of client: Client, isStored: Bool, in service: FeedbackService,
        at now: MonotonicInstant
    ) -> Reply? {
        guard answer != .nothing else { return nil }
        switch result {
        case .cancelled(let count):
            let result = CancelResult(cancelled: count)
            return answer == .onceOff ? replyOnceOff(result, of: client, in: service) : .result(result)
        case .changed(let settings):
            let inShort = answer == .settingsInShort
            return .result(service.settings.result(settings, service.loop, at: now, isStored: isStored, inShort: inShort))
        case .notChanged(let error): return .error(.invalid("set.apps", "has too many apps: \(error)"))
        case .condition(let change): return change.reply
        case .decided(let decision, _) where answer == .plain: return .result(DecisionResult(decision))
        case .decided(let decision, let summary):
            let played = PlayResult(decision, summary: summary)
            guard answer == .ending, let playback = decision.playback else { return .result(played) }
            return .later(service.pending.wait(for: playback, played, of: client.connection))
        }
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
