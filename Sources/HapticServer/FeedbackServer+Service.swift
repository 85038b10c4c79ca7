// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticService
internal import HapticWire

/// What goes into the service, and what comes out of it. Only for the loop, but for `open`: each call of the service is followed
/// by `carryOut`.
extension FeedbackServer {
    /// Connections that were refused and have not been closed yet, so that the client gets to read why. More are closed at once:
    /// descriptors are kept for those who are served.
    static let mostLingering = 32

    // MARK: Sessions

    /// Throws where as many clients are connected as may be. From anywhere.
    func open(_ peer: Peer, output: any SessionOutput) throws(WireError) -> Session {
        // The loop carries out what its own calls lead to.
        defer { if !loop.isRunning { carryOut() } }
        let client = try service.connect(peer, at: now())
        let session = Session(client, backlog: backlog, output: output)
        sessions[client.connection] = session
        return session
    }

    /// Its channel has gone, and all it has said has been taken.
    func forget(_ session: Session) {
        guard sessions.removeValue(forKey: session.client.connection) != nil else { return }
        backlog.disconnect(session.user)
        service.disconnect(session.client, at: now())
        carryOut()
    }

    /// The sessions with a hold that ends by now if it is not released, in the order of their connections.
    func sessionsOfHoldEnds() -> [Session] {
        service.connectionsOfHoldEnds(by: now()).sorted().compactMap { sessions[$0] }
    }

    func useChannel(_ session: Session) {
        session.useChannel { [weak self] session in self?.linesArrived(of: session) }
    }

    /// Makes room where all clients together have read too little: of the user with the most unread, the connection with the
    /// most.
    func closeLargest() {
        guard backlog.bytes > Backlog.most else { return }
        // Also those that are closing: a client that has closed its half and does not read keeps as much. Each once: one whose
        // channel is about to go gets no smaller by it.
        var unread = sessions.values.filter { $0.kept > 0 }
        while backlog.bytes > Backlog.most {
            let largest = unread.indices.max {
                let (one, other) = (unread[$0], unread[$1])
                return (one.user.unread, one.kept) < (other.user.unread, other.kept)
            }
            guard let largest else { return }
            let session = unread.remove(at: largest)
            service.refusedBacklog(of: session.client, most: Backlog.most, at: now())
            carryOut()
            session.close(.atOnce)
            useChannel(session)
        }
    }

    // MARK: In

    /// Before anything else is taken: what comes after a sleep is decided as after one.
    func noticeSleep() {
        guard let time = surroundings.sleep.slept() else { return }
        service.slept(time, at: now())
        carryOut()
    }

    func take(_ event: ServerEvent) {
        switch event {
        case .timer: service.advance(to: now())
        case .actuator(let index, let presence): service.setActuator(index, presence, at: now())
        case .inputs(let changes): service.take(changes, at: now())
        case .pendingInputIsRead: service.pendingInputIsRead(at: now())
        case .applied(let reports): service.applied(reports)
        case .appliedLast(let applied, let name): service.appliedLast(applied, of: name)
        case .prepared(let ticket, let answers): service.prepared(ticket, answers)
        case .offAwaited(let ticket, let isOff): service.offAwaited(ticket, isOff: isOff)
        case .reload(let answer): reloads[service.requestReload()] = answer
        case .reloaded(let result): service.reloaded(result, at: now())
        case .restore(let settings): service.restore(settings, at: now())
        case .clock(let time): service.setClock(time, at: now())
        case .clockWasSet: service.clockWasSet(at: now())
        case .stored(let failure): service.stored(failure, at: now())
        case .shutDown: service.shutDown(at: now())
        }
        carryOut()
    }

    /// Does what a line of `session` asks for.
    func receive(_ line: [UInt8], from session: Session) {
        switch ClientLine(line) {
        case .unusable(let error):
            let refusal = service.chargeUnusable(line, of: session.client, error, at: now())
            carryOut()
            session.write(WireWriter.error(refusal ?? error, to: .null))
        case .single(let message):
            take([Request(message)], bytes: line.count, of: session) { _ in message.id }
            guard let id = message.id, let reply = replies[0], let line = reply.line(to: id) else { return }
            if case .onceStored(_, let ticket) = reply {
                session.hold(LineAnswers(line, of: reply, to: id), until: ticket)
            } else {
                session.write(line)
            }
        case .batch(let messages):
            take(messages.map { Request($0) }, bytes: line.count, of: session) { messages[$0].id }
            let answers = LineAnswers(of: replies, to: messages)
            if let ticket = answers.ticket {
                session.hold(answers, until: ticket)
            } else if let line = answers.line {
                session.write(line)
            }
        }
    }

    /// Counts a line without anything in it.
    func receiveEmptyLine(from session: Session) {
        _ = service.charge(session.client, at: now())
        carryOut()
    }

    /// Has the service decide `requests`, whose ids are these. What it says of that to anyone is said before the `replies` are.
    private func take(_ requests: [Request], bytes: Int, of session: Session, id: (Int) -> RequestID?) {
        service.read(requests, bytes: bytes, of: session.client, readAt: session.readAt, at: now())
        service.decide(at: now(), into: &replies)
        for index in replies.indices {
            // Before anything is carried out: it may have ended already.
            if case .later(let ticket)? = replies[index], let id = id(index) { session.expectReply(ticket, for: id) }
        }
        carryOut()
    }

    // MARK: Out

    /// Carries out what has come of the last call of the service.
    func carryOut() {
        let hasStateChanged = service.outputs.hasStateChanged
        for output in service.outputs.all { carryOut(output) }
        service.removeOutputs()
        notifySubscribers()
        scheduleWakeUp()
        if hasStateChanged { surroundings.stateChanged() }
    }

    private func carryOut(_ output: Output) {
        switch output {
        case .notice(let notice): fanOut.add(notice)
        case .reply(let reply, let ticket): answerLate(reply, ticket)
        case .record(let record): surroundings.onRecord?(record)
        case .refusal(let notice): surroundings.onRefusal?(notice)
        case .shifted(let notice): surroundings.onShiftedSet?(notice)
        case .prepare(let timelines, let actuators, let ticket):
            surroundings.sink.prepare(timelines, on: actuators) { [weak self] answers in
                self?.enter(.prepared(ticket, answers))
            }
        case .awaitOff(let ticket):
            surroundings.sink.awaitOff { [weak self] isOff in self?.enter(.offAwaited(ticket, isOff: isOff)) }
        case .readPendingInput: loop.readPendingInput(of: self)
        case .reload: surroundings.reloader(service.configuration) { [weak self] result in self?.enter(.reloaded(result)) }
        case .store(let settings): surroundings.keeper?(settings) { [weak self] failure in self?.enter(.stored(failure)) }
        case .settled(let ticket, let error):
            guard let connection = ticket.connection, let session = sessions[connection] else { return }
            session.release(ticket, error)
            session.closeIfDone()
        }
    }

    private func answerLate(_ reply: Reply, _ ticket: Ticket) {
        guard let connection = ticket.connection else {
            guard let answer = reloads.removeValue(forKey: ticket) else { return }
            // The daemon itself asks for nothing else.
            if case .error(let error) = reply { answer(.failure(error)) }
            if let result = reply.result(as: ReloadResult.self) { answer(.success(result)) }
            return
        }
        guard let session = sessions[connection], let id = session.endWait(for: ticket) else { return }
        // It hears of an end before it has its answer.
        if !session.client.topics.isEmpty { notifySubscribers() }
        if let answer = reply.line(to: id) { session.write(answer) }
        session.closeIfDone()
    }

    private func notifySubscribers() {
        guard !fanOut.isEmpty else { return }
        for client in service.subscribers {
            guard let session = sessions[client.connection] else { continue }
            let text = fanOut.text(for: client.topics, to: service.seesOthers(client) ? nil : client.owner)
            if text.count > 0, !session.notify(text.lines, count: text.count) { service.missed(notices: text.count) }
        }
        fanOut.removeAll()
    }
}
