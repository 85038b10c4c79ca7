// SPDX-License-Identifier: MIT
private import Glibc
private import HapticConfig
private import HapticGuard
private import HapticRuntime
private import HapticServer
private import HapticThreads
private import HapticWire
internal import Logging
private import NIOCore
private import NIOPosix

/// Puts the daemon together and runs it until a signal stops it.
enum Daemon {
    /// Blocks the main thread, which from then on only takes signals.
    static func run(_ source: ConfigurationSource, socket path: String?, logLevel: Logger.Level) throws(StartError) {
        DaemonSignal.hold()
        let logger = Logger(label: "hapticd") { _ in QueueLogHandler(logLevel: logLevel) }
        defer { LogQueue.standardError.flush() }
        let descriptors = DescriptorLimit.raise()
        let configuration = try source.load()
        let socket = try listen(configuration, path: path, logger: logger)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let helper = NIOThreadPool(numberOfThreads: 1)
        helper.start()
        let running: Running
        do {
            running = try group.next().submit {
                try Running(
                    source: source, configuration: configuration, descriptors: descriptors,
                    guardLock: guardLock(besides: socket.path), eventLoop: group.next(), helper: helper, logger: logger)
            }.wait()
            try running.serve(socket.descriptor).wait()
        } catch {
            socket.remove()
            throw StartError(["\(error)"])
        }
        logger.notice("hapticd \(HapticVersion.current) listens on \(socket.path ?? "an inherited socket")")
        while DaemonSignal.next() == .reload { running.reload() }
        logger.notice("stopping")
        running.switchOff()
        socket.remove()
        // It may be opening a device, or starting another executor for a reload.
        try? helper.syncShutdownGracefully()
        running.stop()
        try? group.syncShutdownGracefully()
    }

    private static func listen(
        _ configuration: Configuration, path: String?, logger: Logger
    ) throws(StartError) -> ListeningSocket {
        do throws(SocketError) {
            let place = try SocketPlace.choose(
                explicit: path, configured: configuration.socket.path, environment: environment(), process: getpid(),
                isRoot: geteuid() == 0)
            let socket = try ListeningSocket(place, access: configuration.socketAccess)
            for warning in socket.warnings { logger.notice("\(warning)") }
            return socket
        } catch {
            throw StartError(error)
        }
    }

    /// Where the guards of one place find each other: beside the socket.
    private static func guardLock(besides path: String?) -> String {
        if let path { return path + ".guard" }
        let directory = environment()["RUNTIME_DIRECTORY"]?.split(separator: ":").first.map(String.init)
        return (directory ?? environment()["XDG_RUNTIME_DIR"] ?? "/run") + "/hapticd.guard"
    }

    private static func environment() -> [String: String] {
        let names = ["LISTEN_PID", "LISTEN_FDS", "RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"]
        return names.reduce(into: [:]) { result, name in
            if let value = getenv(name) { result[name] = String(cString: value) }
        }
    }
}

/// The parts of a running daemon that live on its event loop; its methods are called from other threads and wait.
private struct Running: Sendable {
    private let service: NIOLoopBound<FeedbackService>
    private let sink: NIOLoopBound<ExecutorSink>
    private let eventLoop: any EventLoop
    private let logger: Logger

    /// On the event loop.
    init(
        source: ConfigurationSource, configuration: Configuration, descriptors: Int, guardLock: String, eventLoop: any EventLoop,
        helper: NIOThreadPool, logger: Logger
    ) throws {
        let serviceConfiguration = configuration.service(descriptors: descriptors)
        let sink = ExecutorSink(
            BoardConfiguration(configuration, serviceConfiguration.engine), outputGuard: GuardLink(lockPath: guardLock),
            eventLoop: eventLoop, helper: helper, logger: logger)
        let service = FeedbackService(
            serviceConfiguration, version: HapticVersion.current, eventLoop: eventLoop, sink: sink,
            now: { SystemClock.now },
            reloader: { answer in
                // The patterns are rendered over there, too: that takes as long as reading them.
                helper.runIfActive(eventLoop: eventLoop) {
                    let configuration = try source.load()
                    let service = configuration.service(descriptors: descriptors)
                    return (BoardConfiguration(configuration, service.engine), service)
                }.assumeIsolated().whenComplete { [weak sink] result in
                    answer(
                        result.map { board, service in
                            sink?.configuration = board
                            return service
                        }.mapError(WireError.init(reloading:)))
                }
            })
        sink.service = service
        try sink.start()
        self.service = NIOLoopBound(service, eventLoop: eventLoop)
        self.sink = NIOLoopBound(sink, eventLoop: eventLoop)
        self.eventLoop = eventLoop
        self.logger = logger
    }

    func serve(_ descriptor: CInt) -> EventLoopFuture<Void> {
        eventLoop.flatSubmit { SocketServer.start(service.value, descriptor: descriptor).map { _ in } }
    }

    /// Does not wait.
    func reload() {
        eventLoop.execute {
            service.value.requestReload { result in
                switch result {
                case .success(let result):
                    let changed = result.changed.joined(separator: ", ")
                    logger.notice(
                        "\(changed.isEmpty ? "the configuration is as it was" : "the configuration has changed: \(changed)")")
                    for part in result.needsRestart { logger.warning("`\(part)` has changed too, which only a restart takes up") }
                case .failure(let error):
                    logger.error("\(error.message)")
                    for line in error.data?.diagnostics ?? [] { logger.error("\(line)") }
                }
            }
        }
    }

    /// Ends all playbacks, answers those who wait, and switches everything off.
    func switchOff() {
        end {
            service.value.shutDown()
            sink.value.switchOff()
        }
    }

    /// Gives the devices back. After `switchOff`, when the helper thread has ended.
    func stop() {
        end {
            service.value.shutDown()
            sink.value.stop()
        }
    }

    private func end(_ body: @escaping @Sendable () -> Void) {
        do {
            try eventLoop.submit(body).wait()
        } catch {
            logger.critical("could not be stopped in order: \(error)")
        }
    }
}

extension WireError {
    /// Why a reload changed nothing.
    fileprivate init(reloading error: any Error) {
        let lines = (error as? StartError)?.lines ?? ["\(error)"]
        self.init(
            .invalidConfiguration, "the new configuration cannot be used, so the one in force stays",
            data: .init(diagnostics: lines))
    }
}
