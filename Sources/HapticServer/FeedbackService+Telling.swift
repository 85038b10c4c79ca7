// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticEngine
internal import HapticWire

/// Who comes and goes, and what the daemon around it tells.
extension FeedbackService {
    // MARK: Sessions

    /// Throws where as many clients are connected as may be.
    func open(_ peer: Peer, output: any SessionOutput) throws(WireError) -> Session {
        if isStopping { throw .shuttingDown }
        if let refusal = refusalOfConnection(user: peer.user) { throw refused(refusal, to: peer.user) }
        lastConnection += 1
        let user = users.connect(peer.user, at: now())
        let session = Session(connection: lastConnection, peer: peer, user: user, backlog: backlog, output: output)
        sessions[lastConnection] = session
        stateChanged()
        return session
    }

    // MARK: The executor

    /// Tells of actuations that have happened, in order.
    public func applied(_ reports: [AppliedActuation]) { enter(.applied(reports)) }

    /// Tells of an actuation of an actuator that a reload has replaced, by the name that it had.
    public func appliedLast(_ applied: AppliedActuation, of name: String) { enter(.appliedLast(applied, actuator: name)) }

    /// Counts an actuation that was left out because the executor was too late for it.
    public func missedActuation(_ actuation: Actuation) {
        guard actuation.actuator.value < configuration.engine.actuators.count else { return }
        statistics.missed(actuation)
    }

    /// Counts the same of an actuator that a reload has replaced.
    public func missedLast() { statistics.missedActuations += 1 }

    /// Tells that the device of an actuator is not there (`error` says why) or, nil, that it is there again.
    public func setActuator(_ index: ActuatorIndex, error: String?) { enter(.actuator(index, error: error)) }

    // MARK: The daemon

    /// Ends everything; what waited is answered. New requests are refused from now on.
    public func shutDown() { enter(.shutDown) }
}

/// What subscribers are told.
extension FeedbackService {
    func subscribe(_ session: Session, to topics: Set<Topic>) {
        session.topics = topics
        subscribers[session.client.connection] = topics.isEmpty ? nil : session
        wantedTopics = subscribers.values.reduce(into: []) { $0.formUnion($1.topics) }
    }

    /// Has the subscribers of `topic` told once the event at hand has been dealt with. `notice` is only made where there is one.
    func publish(_ topic: Topic, _ notice: () -> Notice) {
        if wantedTopics.contains(topic) { bulletin.add(WireWriter.notification(notice()), of: topic) }
    }

    func tellSubscribers() {
        guard !bulletin.isEmpty else { return }
        for session in subscribers.values {
            let text = bulletin.text(for: session.topics)
            if text.count > 0, !session.tell(text.lines, count: text.count) { statistics.missed += UInt64(text.count) }
        }
        bulletin.removeAll()
    }

    func applied(_ report: AppliedActuation) {
        let actuation = report.actuation
        guard actuation.actuator.value < configuration.engine.actuators.count else { return }
        statistics.actuated(actuation, at: report.at)
        let name = configuration.engine.actuators[actuation.actuator.value].name
        publish(.actuations) { .actuation(ActuationNotice(actuation, at: report.at, actuator: name)) }
    }

    func playbackEnded(_ end: PlaybackEnd) {
        statistics.ended(end.playback)
        onRecord?(.ending(end))
        publish(.playbacks) { .playback(EndingResult(end)) }
        guard var wait = waits.removeValue(forKey: end.playback) else { return }
        wait.result.ending = EndingResult(end)
        guard let session = sessions[wait.session] else { return }
        // It hears of the end before it has its answer.
        if !session.topics.isEmpty { tellSubscribers() }
        session.answerLate(WireWriter.answer(wait.result, to: wait.request))
    }
}
