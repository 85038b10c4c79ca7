// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
public import HapticWire

extension FeedbackService {
    /// What is to be said to one message.
    private enum Reply {
        /// To a notification, or to a request that is answered later.
        case nothing
        case line([UInt8])
        /// What the command at this place of the transaction comes to.
        case command(Int)
        /// A question, answered once the commands have been decided.
        case question(Call)
    }

    /// Does what a line of `session` asks for, which was read at `readAt`.
    func receive(_ line: [UInt8], from session: Session, readAt: MonotonicInstant) {
        writtenStatus = nil
        switch ClientLine(line) {
        case .unusable(let error): session.write(WireWriter.error(spend(session) ?? error, to: .null))
        case .single(let message):
            // In the order of `answers`, but for its arrays. Without an id there is no answer.
            var commands: [Command] = []
            resolver.beginLine(bytes: line.count)
            let reply = reply(to: message, from: session, readAt: readAt, commands: &commands)
            decide(commands, readAt: readAt)
            let answer = answer(message, reply, session: session)
            settle(at: max(now(), readAt))
            if let answer { session.write(answer) }
        case .batch(let messages):
            let answers = answers(messages, bytes: line.count, from: session, readAt: readAt)
            if let line = WireWriter.batch(answers) { session.write(line) }
        }
    }

    /// Decides `messages` as one transaction. The answers are in their order.
    private func answers(
        _ messages: [Message], bytes: Int, from session: Session, readAt: MonotonicInstant
    ) -> [(id: RequestID, line: [UInt8])] {
        resolver.beginLine(bytes: bytes, messages: messages.count)
        var commands: [Command] = []
        let replies = messages.map { reply(to: $0, from: session, readAt: readAt, commands: &commands) }
        decide(commands, readAt: readAt)
        var answers: [(id: RequestID, line: [UInt8])] = []
        var size = 0
        for (message, reply) in zip(messages, replies) {
            // Nobody gets more than a line, and making it takes everybody's time.
            let isFull = size > WireLimit.daemonLine
            guard let line = answer(message, reply, session: session, isFull: isFull), let id = message.id else { continue }
            answers.append((id, line))
            size += line.count
        }
        settle(at: max(now(), readAt))
        return answers
    }

    /// Nil where there is no answer, or not yet. `isFull`: there is no room left for one that takes time to be made.
    private func answer(_ message: Message, _ reply: Reply, session: Session, isFull: Bool = false) -> [UInt8]? {
        switch reply {
        case .nothing: nil
        case .line(let line): line
        case .question(.subscribe(let params)): answer(message, .subscribe(params), session: session)
        case _ where isFull: message.id.map { WireWriter.error(.answerTooLong, to: $0) }
        case .command(let index): answer(message, loop.actions.outcomes[index], session: session)
        case .question(let call): answer(message, call, session: session)
        }
    }

    private func reply(
        to message: Message, from session: Session, readAt: MonotonicInstant, commands: inout [Command]
    ) -> Reply {
        if let error = spend(session) {
            if let id = message.id { return .line(WireWriter.error(error, to: id)) }
            refuse(message, .quota)
            return .nothing
        }
        do throws(WireError) {
            let call = try message.call.get()
            if isStopping { throw .shuttingDown }
            try checkAccess(call, of: session)
            guard let command = try resolver.command(call, of: identity(of: session), readAt: readAt) else {
                return .question(call)
            }
            commands.append(command)
            return .command(commands.count - 1)
        } catch {
            if let id = message.id { return .line(WireWriter.error(error, to: id)) }
            if error.code != ErrorCode.notAllowed.rawValue {
                statistics.invalidNotifications += 1
                refuse(message, .invalidParams)
            }
            return .nothing
        }
    }

    /// Nil where there is no answer, or not yet.
    private func answer(_ message: Message, _ outcome: CommandOutcome, session: Session) -> [UInt8]? {
        guard let id = message.id else { return nil }
        switch outcome {
        case .cancelled(let count): return WireWriter.answer(CancelResult(cancelled: count), to: id)
        case .profileSet(let profile): return WireWriter.answer(ProfileResult(profile), to: id)
        case .decided(let decision, let summary):
            guard case .success(.play(let params)) = message.call else {
                return WireWriter.answer(DecisionResult(decision), to: id)
            }
            let result = PlayResult(decision, summary: summary)
            guard params.wait == true, let playback = decision.playback else { return WireWriter.answer(result, to: id) }
            session.willAnswerLater()
            waits[playback] = Wait(session: session.client.connection, request: id, result: result)
            return nil
        }
    }

    /// Answers what is not for the engine to decide. Nil where there is no answer, or not yet.
    private func answer(_ message: Message, _ call: Call, session: Session) -> [UInt8]? {
        if case .reload = call { return reload(message.id, session: session) }
        // All else is a question, and whoever asked has gone: others shall not wait for an answer that nobody hears.
        guard !session.hasGone else { return nil }
        if case .subscribe(let params) = call {
            subscribe(session, to: params.topics)
            writtenStatus = nil
        }
        guard let id = message.id else { return nil }
        switch call {
        case .profile: return WireWriter.answer(ProfileResult(loop.engine.profile), to: id)
        case .patterns:
            let written = writtenPatterns ?? WireWriter.result(PatternsResult(patterns: patterns()))
            writtenPatterns = written
            return WireWriter.answer(written: written, to: id)
        case .actuators: return WireWriter.answer(ActuatorsResult(actuators: actuators()), to: id)
        case .prepare(let params): return prepare(params, id: id, session: session)
        case .subscribe(let params): return WireWriter.answer(SubscribeResult(params.topics), to: id)
        case .status:
            let written = writtenStatus ?? WireWriter.result(status())
            writtenStatus = written
            return WireWriter.answer(written: written, to: id)
        case .discover: return WireWriter.answer(written: writtenDocument, to: id)
        // The engine's, and answered above.
        case .progress, .release, .event, .play, .cancel, .reload: return nil
        }
    }

    private func patterns() -> [PatternResult] {
        configuration.engine.patterns.sorted { $0.key < $1.key }.map(\.value)
            .map { PatternResult($0, description: configuration.patternDescriptions[Text($0.name)] ?? "") }
    }

    private func actuators() -> [ActuatorResult] {
        zip(configuration.engine.actuators, configuration.backends).enumerated().map { place, actuator in
            ActuatorResult(
                actuator.0, backend: actuator.1, error: unavailable[ActuatorIndex(place)],
                fallback: actuator.0.fallback.map { configuration.engine.actuators[$0.value].name })
        }
    }

    /// Nil: the answer comes once the devices have given theirs.
    private func prepare(_ params: PrepareParams, id: RequestID, session: Session) -> [UInt8]? {
        do throws(WireError) {
            let names = params.patterns ?? []
            var timelines: [Timeline] = []
            for (index, name) in names.enumerated() {
                timelines.append(try resolver.pattern(name, path: "patterns[\(index)]").timeline)
            }
            let places = try params.actuators.map { names throws(WireError) in try resolver.actuators(names) }
            let all = configuration.engine.actuators.indices.map(ActuatorIndex.init)
            let asked = (places ?? all).filter { loop.engine.isAvailable($0) }
            guard preparations < Self.mostPreparations else {
                throw WireError(.quota, "too many wait for patterns to be made ready already; try again later")
            }
            preparations += 1
            session.willAnswerLater()
            let preparation = Preparation(
                session: session, request: id, patterns: names,
                actuators: asked.map { configuration.engine.actuators[$0.value].name })
            sink.prepare(timelines, on: asked) { [weak self] answers in self?.enter(.prepared(preparation, answers)) }
            return nil
        } catch {
            return WireWriter.error(error, to: id)
        }
    }

    private func unavailableActuators() -> [StatusResult.Unavailable] {
        unavailable.sorted { $0.key < $1.key }.map { index, error in
            .init(actuator: configuration.engine.actuators[index.value].name, error: error)
        }
    }

    private func status() -> StatusResult {
        let reasons = [nil] + Reason.allCases.map { Optional($0) }
        let counts = Outcome.allCases.flatMap { outcome in
            reasons.compactMap { reason -> StatusResult.Count? in
                let count = loop.engine.count(of: outcome, reason: reason)
                return count == 0 ? nil : .init(outcome: outcome.rawValue, reason: reason?.rawValue, count: count)
            }
        }
        return StatusResult(
            version: version, uptimeMs: (now() - startedAt).inMilliseconds, profile: loop.engine.profile.rawValue,
            clients: sessions.count, sources: loop.engine.sourceCount, playbacks: loop.engine.playbackCount, decisions: counts,
            subscribers: subscribers.count, invalidNotifications: statistics.invalidNotifications, refused: refusedCounts(),
            missed: statistics.missed, missedActuations: statistics.missedActuations,
            missedByActuator: zip(configuration.engine.actuators, statistics.actuators).map {
                .init(actuator: $0.name, count: $1.missed)
            },
            missedDeadlines: FeedbackClass.allCases.map { statistics[$0].missedDeadlines(of: $0) },
            unavailable: unavailableActuators(), realtime: realtime,
            lateness: zip(configuration.engine.actuators, statistics.actuators).map { $1.lateness.percentiles(of: $0.name) },
            latency: FeedbackClass.allCases.map { statistics[$0].latency.percentiles(of: $0.rawValue) })
    }

    // MARK: Reload

    private func reload(_ id: RequestID?, session: Session) -> [UInt8]? {
        guard !reload.isFull else {
            return id.map { WireWriter.error(WireError(.quota, "too many wait for a reload already; try again later"), to: $0) }
        }
        if id != nil { session.willAnswerLater() }
        requestReload { result in
            guard let id else { return }
            switch result {
            case .success(let result): session.answerLate(WireWriter.answer(result, to: id))
            case .failure(let error): session.answerLate(WireWriter.error(error, to: id))
            }
        }
        return nil
    }

    /// Reads the configuration again and puts it in force where it is good; tells which parts changed.
    public func requestReload(_ answer: @escaping (Result<ReloadResult, WireError>) -> Void) {
        reload.add(answer)
        runReload()
    }

    func runReload() {
        guard let answers = reload.begin() else { return }
        reload.reloader(configuration) { [weak self] result in self?.enter(.reloaded(result, answers)) }
    }
}
