// SPDX-License-Identifier: MIT
private import HapticConfig
private import HapticCore
internal import HapticServer
internal import HapticService
internal import HapticWire
internal import NIOCore
internal import NIOPosix

/// Reads the configuration again, and has the parts of the daemon use it. On the event loop.
final class Reloader {
    private let source: ConfigurationSource
    /// How many files the process may have open.
    private let descriptors: Int
    /// Its thread reads.
    private let reader: NIOThreadPool
    private let eventLoop: any EventLoop
    private weak var sink: BoardSink?
    private let inputs: InputsLink
    private let settings: PersonalSettingsLink
    private let log: ReloadLog
    /// Needs the service, which needs this; so it is set afterwards.
    weak var notifier: ServiceNotifier?

    init(
        _ source: ConfigurationSource, descriptors: Int, reader: NIOThreadPool, on eventLoop: any EventLoop, sink: BoardSink,
        inputs: InputsLink, settings: PersonalSettingsLink, log: ReloadLog
    ) {
        self.source = source
        self.descriptors = descriptors
        self.reader = reader
        self.eventLoop = eventLoop
        self.sink = sink
        self.inputs = inputs
        self.settings = settings
        self.log = log
    }

    /// Compares with the configuration in force, and calls `answer` later.
    func reload(
        replacing inForce: ServiceConfiguration, _ answer: @escaping (Result<ReloadedConfiguration, WireError>) -> Void
    ) {
        notifier?.reloading()
        // Rendering and comparing the patterns takes as long as reading them, so the reader's thread does that, too.
        reader.runIfActive(eventLoop: eventLoop) { [source, descriptors] in
            let loaded =
                try Canary.is("bad-reload-applied")
                ? (try? source.load()) ?? .init(configuration: .builtIn, file: nil, notes: []) : source.load()
            let service = try loaded.service(descriptors: descriptors)
            let board = BoardConfiguration(loaded.configuration, service.engine)
            return (board, ReloadedConfiguration(service, replacing: inForce), loaded)
        }.assumeIsolated().whenComplete { [self] result in
            let outcome = result.map { board, reloaded, loaded in
                sink?.use(board)
                inputs.use(loaded.configuration.inputs)
                log.note(loaded.notes)
                return reloaded
            }.mapError(WireError.init(reloading:))
            log.log(outcome.map(\.result))
            answer(outcome)
            notifier?.reloaded()
            settings.reloaded()
        }
    }
}

extension WireError {
    /// Why a reload changed nothing.
    fileprivate init(reloading error: any Error) {
        let reason = error as? StartError ?? StartError(["\(error)"])
        self.init(
            .invalidConfiguration, "the new configuration cannot be used, so the one in force stays",
            data: .init(diagnostics: reason.lines, errors: reason.count))
    }
}
