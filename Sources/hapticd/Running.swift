// SPDX-License-Identifier: MIT
private import Glibc
private import HapticBoard
private import HapticConfig
internal import HapticCore
internal import HapticGuard
internal import HapticReplay
private import HapticServer
private import HapticService
private import HapticThreads
private import HapticWire
internal import Logging
internal import NIOCore
internal import NIOPosix

/// The parts of a running daemon that live on its event loop. Its methods are for other threads, and wait where nothing else is said.
struct Running: Sendable {
    private let service: NIOLoopBound<FeedbackServer>
    private let board: NIOLoopBound<Board>
    private let notifier: NIOLoopBound<ServiceNotifier>
    private let journal: NIOLoopBound<Recording?>
    private let settings: NIOLoopBound<PersonalSettingsLink>
    private let inputs: NIOLoopBound<InputsLink>
    private let outputGuard: GuardLink
    private let eventLoop: any EventLoop
    private let logger: Logger

    /// A device that takes longer hangs. It delays no client any further.
    private static let longestFirstLevels = Nanoseconds.milliseconds(500)

    /// On the event loop.
    init(
        source: ConfigurationSource, loaded: ConfigurationSource.Loaded, settings place: SettingsPlace, descriptors: Int,
        outputs: DrivenOutputs,
        outputGuard: GuardLink, manager: ServiceManager,
        eventLoop: any EventLoop, reader: NIOThreadPool, journal: JournalFile.Created?, logger: Logger
    ) throws {
        let serviceConfiguration = try loaded.service(descriptors: descriptors)
        let board = BoardConfiguration(loaded.configuration, serviceConfiguration.engine)
        self.outputGuard = outputGuard
        let loop = BoardEventLoop(eventLoop)
        let sink = BoardSink(board, outputs: outputs, outputGuard: outputGuard, on: loop, logger: logger)
        let settings = PersonalSettingsLink(place, on: loop, logger: logger)
        let inputs = InputsLink(on: loop, isSimulated: source.isSimulated, logger: logger)
        let reloads = ReloadLog(logger)
        reloads.note(loaded.notes)
        let reloader = Reloader(
            source, descriptors: descriptors, reader: reader, on: eventLoop, sink: sink, inputs: inputs, settings: settings,
            log: reloads)
        let service = FeedbackServer(
            serviceConfiguration, version: HapticVersion.current, eventLoop: eventLoop, sink: sink,
            ownUser: geteuid(), now: { SystemClock.now },
            suspended: { SystemClock.suspended }, reloader: reloader.reload(replacing:_:), keeper: settings.keeper)
        let notifier = ServiceNotifier(manager, service: service, board: sink.board, logger: logger)
        reloader.notifier = notifier
        self.notifier = NIOLoopBound(notifier, eventLoop: eventLoop)
        service.onRecord = DecisionLog.recorder(logger)
        sink.board.listener = service
        service.onRefusal = { notice in
            // The look-up of a name may hang.
            _ = Errand { logger.warning(notice) }
        }
        service.onShiftedSet = { notice in _ = Errand { logger.warning(notice) } }
        self.journal = NIOLoopBound(
            journal.map { Recording($0, of: service, serviceConfiguration.engine, on: loop, logger) }, eventLoop: eventLoop)
        settings.serve(service)
        self.settings = NIOLoopBound(settings, eventLoop: eventLoop)
        try sink.board.start()
        sink.board.whenDevicesChange = { [weak inputs] in inputs?.devicesHaveChanged() }
        inputs.serve(service, loaded.configuration.inputs, isWatching: sink.board.isWatching)
        self.inputs = NIOLoopBound(inputs, eventLoop: eventLoop)
        self.service = NIOLoopBound(service, eventLoop: eventLoop)
        self.board = NIOLoopBound(sink.board, eventLoop: eventLoop)
        self.eventLoop = eventLoop
        self.logger = logger
    }

    /// Tries every device, and reads the first levels of keys, buttons and switches.
    func open(within longest: Nanoseconds) -> EventLoopFuture<Void> {
        let (devices, levels) = (eventLoop.makePromise(of: Void.self), eventLoop.makePromise(of: Void.self))
        eventLoop.execute {
            board.value.open(within: longest) { devices.succeed() }
            inputs.value.awaitFirstLevels(within: min(longest, Self.longestFirstLevels)) { levels.succeed() }
        }
        return devices.futureResult.and(levels.futureResult).map { _ in }
    }

    /// Does not wait.
    func ready() { eventLoop.execute { notifier.value.ready() } }

    func serve(_ descriptor: CInt) -> EventLoopFuture<Void> {
        eventLoop.flatSubmit { SocketServer.start(service.value, descriptor: descriptor).map { _ in } }
    }

    /// Does not wait.
    func reload() { eventLoop.execute { service.value.requestReload { _ in } } }

    /// Ends all playbacks, answers those who wait, and switches everything off. The future ends once every device has been given back.
    func switchOff() -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        end {
            notifier.value.end()
            inputs.value.shutDown()
            service.value.shutDown()
            board.value.shutDown { promise.succeed() }
        }
        return promise.futureResult
    }

    /// To be called after `switchOff`: answers those who have come to wait since.
    func stop() { end { service.value.shutDown() } }

    /// To be called after `stop`. Returns once what people have set is stored, or cannot be.
    func endSettings() {
        let promise = eventLoop.makePromise(of: Void.self)
        eventLoop.execute { settings.value.finish { promise.succeed() } }
        try? promise.futureResult.wait()
    }

    /// To be called after `endSettings`, when nothing more happens.
    func endJournal() {
        let promise = eventLoop.makePromise(of: Void.self)
        eventLoop.execute {
            if let recording = journal.value { recording.end { promise.succeed() } } else { promise.succeed() }
        }
        try? promise.futureResult.wait()
    }

    private func end(_ body: @escaping @Sendable () -> Void) {
        do {
            try eventLoop.submit(body).wait()
        } catch {
            logger.critical("could not be stopped in order: \(error); what is on is the guard's to switch off")
        }
    }
}

extension Logger {
    /// May block: looks up the user's name.
    fileprivate func warning(_ notice: RefusalNotice) {
        var metadata: Metadata = ["limit": "\(notice.refusal.cause.key)", "count": "\(max(1, notice.more))"]
        var user = "several users"
        if let id = notice.user {
            metadata["user"] = "\(id)"
            user = Self.words(forUser: id)
        }
        warning("\(notice.text(user: user))", metadata: metadata)
    }

    /// May block, too.
    fileprivate func warning(_ notice: ShiftedSetNotice) {
        warning(
            "\(notice.text(user: Self.words(forUser: notice.user)))",
            metadata: ["user": "\(notice.user)", "name": "\(notice.set)"])
    }

    private static func words(forUser id: UInt32) -> String {
        "user \(Accounts.name(ofUser: id).map { "`\($0)` (\(id))" } ?? "\(id)")"
    }
}
