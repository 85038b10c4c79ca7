// SPDX-License-Identifier: MIT
private import Glibc
private import HapticBackends
private import HapticBoard
internal import HapticConfig
private import HapticCore
private import HapticGuard
private import HapticReplay
private import HapticRuntime
private import HapticServer
private import HapticService
private import HapticThreads
private import HapticWire
internal import Logging
private import NIOCore
private import NIOPosix

/// Puts the daemon together and runs it until a signal stops it.
enum Daemon {
    /// Clients are served once every device has been tried and every switch read, or this long after the start. The daemon is to be ready within 2 s.
    private static let longestOpening = Nanoseconds.milliseconds(1750)
    /// An end in order takes some ms, and half a second for each device that hangs.
    private static let longestStop = Nanoseconds.seconds(3)

    /// Blocks the main thread, which from then on only takes signals.
    static func run(
        _ source: ConfigurationSource, socket path: String?, state: String?, journal journalPath: String?, logLevel: Logger.Level
    ) throws(StartError) {
        let start = SystemClock.now
        DaemonSignal.hold()
        let manager = try ServiceManager.takeOver()
        let logger = Logger(label: "hapticd") { _ in QueueLogHandler(logLevel: logLevel) }
        defer { LogQueue.standardError.flush() }
        for warning in manager.warnings { logger.warning("\(warning)") }
        let descriptors = DescriptorLimit.raise()
        let loaded = try source.load()
        let configuration = loaded.configuration
        // Before anybody can connect.
        let journal = try journalPath.map { path throws(StartError) in try JournalFile.create(option: path) }
        let socket: ListeningSocket
        do throws(StartError) {
            socket = try listen(configuration, path: path, inherited: manager.inheritedSockets, logger: logger)
        } catch {
            journal?.remove()
            throw error
        }
        let settings = SettingsPlace.open(explicit: state, isSimulated: source.isSimulated)
        settings.log(logger)
        let place = DaemonPlace(socket: path)
        // The socket may be elsewhere.
        mkdir(place.folder, 0o755)
        let outputGuard = GuardLink(lockPath: place.guardLock)
        if isHeir(to: place.outputs, configuration, logger) {
            switchOff(place.outputs, besides: configuration, outputGuard, by: start + longestOpening, logger)
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        // Reads the configuration again, and does nothing else.
        let reader = NIOThreadPool(numberOfThreads: 1)
        reader.start()
        let running: Running
        do {
            running = try group.next().submit {
                try Running(
                    source: source, loaded: loaded, settings: settings, descriptors: descriptors, outputs: place.outputs,
                    outputGuard: outputGuard, manager: manager, eventLoop: group.next(), reader: reader, journal: journal,
                    logger: logger)
            }.wait()
            // A second or two at most. An output that cannot be guarded reports that when it is opened.
            if configuration.actuators.contains(where: \.isGuarded) { try? outputGuard.takeOver(device: "what is guarded") }
            // Clients that connect meanwhile wait: nothing is lost for an actuator that is there a moment later.
            try running.open(within: max(.milliseconds(1), start + longestOpening - SystemClock.now)).wait()
            try running.serve(socket.descriptor).wait()
        } catch {
            outputGuard.end()
            socket.remove()
            throw StartError(["hapticd could not be started: \(error); see the kernel's log (dmesg), then start it again"])
        }
        logger.notice("hapticd \(HapticVersion.current) listens on \(socket.path ?? "an inherited socket")")
        running.ready()
        while DaemonSignal.next() == .reload { running.reload() }
        logger.notice("stopping")
        _ = manager.notify("STOPPING=1\nSTATUS=switching everything off")
        stop(running, socket, reader: reader, group: group, place, logger)
    }

    /// Ends everything in order. If a device or the executor hangs, ends the process.
    private static func stop(
        _ running: Running, _ socket: ListeningSocket, reader: NIOThreadPool, group: MultiThreadedEventLoopGroup,
        _ place: DaemonPlace, _ logger: Logger
    ) {
        let stop = Errand {
            let isGivenBack = running.switchOff()
            socket.remove()
            // A reload may be under way.
            try? reader.syncShutdownGracefully()
            // A device may be being opened.
            try? isGivenBack.wait()
            running.stop()
            running.endSettings()
            running.endJournal()
            switchOffAll(place, logger)
            try? group.syncShutdownGracefully()
        }
        guard !stop.isDone(by: SystemClock.now + longestStop) else { return }
        socket.remove()
        logger.critical(
            "could not be stopped in order within \(longestStop.words): a device or the executor hangs; what is on is the guard's to switch off"
        )
        LogQueue.standardError.flush()
        _exit(1)
    }

    private static func listen(
        _ configuration: Configuration, path: String?, inherited: Int, logger: Logger
    ) throws(StartError) -> ListeningSocket {
        do throws(SocketError) {
            let place = try SocketPlace.choose(configuration, path: path, inherited: inherited)
            let socket = try ListeningSocket(place, access: configuration.socketAccess)
            for warning in socket.warnings { logger.notice("\(warning)") }
            return socket
        } catch {
            throw StartError(error)
        }
    }

    /// Makes sure that all outputs of this daemon are off, and takes them out of the record. Where the next daemon has them by now,
    /// the record belongs to that one and stays.
    private static func switchOffAll(_ place: DaemonPlace, _ logger: Logger) {
        guard GuardLock.takeOver(place.guardLock) == .nobodyElse else { return }
        for failure in place.outputs.switchOff(besides: [], by: SystemClock.now + DrivenOutputs.shortestSwitchOff) {
            logger.error("\(failure)")
        }
    }

    /// Whether a daemon that was killed drove what this one does not. That may still be on: the guard may have been killed, too.
    private static func isHeir(to outputs: DrivenOutputs, _ configuration: Configuration, _ logger: Logger) -> Bool {
        do throws(DrivenOutputs.Failure) {
            return try !outputs.others(than: configuration.actuators).isEmpty
        } catch {
            logger.warning("\(error)")
            return false
        }
    }

    private static func switchOff(
        _ outputs: DrivenOutputs, besides configuration: Configuration, _ outputGuard: GuardLink, by end: MonotonicInstant,
        _ logger: Logger
    ) {
        do throws(DriverFault) {
            // Until then a guard may hold them, or another daemon may be alive.
            try outputGuard.takeOver(device: "what the daemon before this one drove")
        } catch {
            return logger.error("\(error)")
        }
        // At least the shortest time, however long it took to get here.
        let end = max(end, SystemClock.now + DrivenOutputs.shortestSwitchOff)
        for failure in outputs.switchOff(besides: configuration.actuators, by: end) { logger.error("\(failure)") }
    }
}
