// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore
internal import HapticThreads

/// The inputs of one device, or of one line. On the supervisor's loop.
final class InputUnit {
    /// What identifies it.
    enum Identity: Hashable {
        case line(GPIOAddress, LineBias)
        case device(DeviceMatch)

        /// Whether both cannot be open at once.
        func excludes(_ other: Self) -> Bool {
            switch (self, other) {
            case (.line(let a, _), .line(let b, _)): (a.chip, a.line) == (b.chip, b.line)
            case (.device(let a), .device(let b)): a == b
            case (.line, .device), (.device, .line): false
            }
        }
    }

    private struct Input {
        var debouncer: Debouncer
        /// Of the port that it is read by; nil while it is missing.
        var token: UInt64?
        /// Why it is missing, as has been reported.
        var reported: InputFault?
    }

    private struct OpenPort {
        let port: any InputPort
        /// Indices in the unit's `inputs`.
        let inputs: [Int]
        /// Its levels are to be read, or are being read; it is not read before.
        var awaitsLevels = false
        var levelsAt = MonotonicInstant.distantPast
        var cancelWait: Cancellation?
    }

    /// The next look at a device of which nobody says that something has changed. Each pause is twice the one before.
    private struct Retry {
        private static let (firstPause, longestPause) = (Nanoseconds.milliseconds(100), Nanoseconds.seconds(30))

        private var pause = firstPause
        private var cancel: Cancellation?

        /// No effect while a look is still to come.
        mutating func schedule(on loop: any BoardLoop, _ look: @escaping () -> Void) {
            guard cancel == nil else { return }
            cancel = loop.schedule(at: loop.now + pause, look)
            pause = min(pause * 2, Self.longestPause)
        }

        mutating func end() {
            cancel?()
            cancel = nil
        }

        /// The device works: the next pause is the first one again.
        mutating func succeed() { pause = Self.firstPause }
    }

    /// Where a device reports more than it can keep, how often its levels are read: it may do so for ever.
    static let leastReadInterval = Nanoseconds.milliseconds(5)
    /// How long levels may take. A device that takes longer hangs, and lets go.
    static let longestRead = Nanoseconds.milliseconds(500)

    let key: Identity
    let wanted: [DeviceInput]
    /// Those of its inputs, for the listener.
    var indices: [Int]
    private var inputs: [Input]
    private var ports: [UInt64: OpenPort] = [:]
    /// Whether its device has been opened, or could not be, at least once.
    private(set) var hasScanned = false
    private var isScanning = false
    private var scansAgain = false
    private var hasEnded = false
    private var retry = Retry()
    private let errands: ErrandQueue
    private weak var supervisor: InputSupervisor?

    /// `former`: one of the same device, which gives it back before this opens it.
    init(
        _ key: Identity, _ wanted: [DeviceInput], _ indices: [Int], after former: InputUnit?, of supervisor: InputSupervisor
    ) {
        errands = former?.errands ?? ErrandQueue()
        self.key = key
        self.wanted = wanted
        self.indices = indices
        self.supervisor = supervisor
        inputs = wanted.map {
            Input(
                debouncer: Debouncer(closedTime: $0.source.debounce, countsFoundLevel: $0.purpose.countsFoundLevel))
        }
    }

    /// By device, each with the indices of its inputs, in the order of their first.
    static func grouped(_ wanted: [DeviceInput]) -> [(key: Identity, indices: [Int])] {
        var groups: [(key: Identity, indices: [Int])] = []
        for (index, input) in wanted.enumerated() {
            let key: Identity =
                switch input.source.address {
                case .line(let address, let bias): .line(address, bias)
                case .key(let match, _): .device(match)
                }
            if let group = groups.firstIndex(where: { $0.key == key }) {
                groups[group].indices.append(index)
            } else {
                groups.append((key, [index]))
            }
        }
        return groups
    }

    // MARK: Finding

    /// Opens what is missing, and sees whether what is open is still there.
    func scan() {
        retry.end()
        guard let supervisor else { return }
        guard !isScanning else {
            scansAgain = true
            return
        }
        isScanning = true
        let missing = inputs.indices.filter { inputs[$0].token == nil }
        let addresses = missing.map { wanted[$0].source.address }
        let paths = ports.mapValues(\.port.path)
        let system = supervisor.system
        supervisor.loop.perform(
            { (gone: paths.filter { !system.isThere($0.value) }.map(\.key), opening: system.open(addresses)) }, in: errands,
            then: { [self] found in scanned(gone: found.gone, found.opening, missing) })
    }

    private func scanned(gone: [UInt64], _ opening: InputOpening, _ missing: [Int]) {
        isScanning = false
        guard let supervisor, !hasEnded else {
            for opened in opening.ports { close(opened.port) }
            return
        }
        for opened in opening.ports { take(opened, opened.inputs.map { missing[$0] }) }
        for (index, fault) in opening.faults.sorted(by: { $0.key < $1.key }) { miss(missing[index], fault) }
        for token in gone { lose(token, .deviceLost) }
        if scansAgain {
            scansAgain = false
            scan()
        } else {
            retryLater()
        }
        hasScanned = true
        supervisor.unitHasScanned()
        supervisor.setTimer()
    }

    private func retryLater() {
        guard let supervisor else { return }
        let faults = inputs.compactMap { $0.token == nil ? $0.reported : nil }
        if faults.contains(where: { !supervisor.isWatching || !$0.fault.awaitsDevice }) { scanLater() }
    }

    private func scanLater() {
        guard let supervisor else { return }
        retry.schedule(on: supervisor.loop) { [weak self] in self?.scan() }
    }

    private func take(_ opened: OpenedPort, _ own: [Int]) {
        guard let supervisor else { return close(opened.port) }
        guard let token = supervisor.wait(for: opened.port, of: self) else {
            close(opened.port)
            for index in own { miss(index, fault(Self.cannotBeWaitedFor, index)) }
            return
        }
        ports[token] = OpenPort(port: opened.port, inputs: own)
        for index in own {
            inputs[index].token = token
            let wasMissing = inputs[index].reported != nil
            inputs[index].reported = nil
            if wasMissing { supervisor.listener.isMissing(indices[index], nil) }
        }
        let at = min(opened.levels.at, supervisor.loop.now)
        report(zip(own, opened.levels.areDown).flatMap { index, isDown in change(index) { $0.find(isDown, at: at) } })
    }

    /// What has been reported of those that are missing, by their indices among its own.
    var faults: [(Int, InputFault)] { inputs.enumerated().compactMap { index, input in input.reported.map { (index, $0) } } }

    private func miss(_ index: Int, _ fault: InputFault) {
        let reported = inputs[index].reported
        // That one is gone says that it is not there.
        guard fault != reported, !(reported?.fault.cause == .deviceLost && fault.fault.cause == .absent) else { return }
        inputs[index].reported = fault
        supervisor?.listener.isMissing(indices[index], fault)
    }

    private func lose(_ token: UInt64, _ cause: DriverFault.Cause) {
        guard let supervisor, let open = ports.removeValue(forKey: token) else { return }
        open.cancelWait?()
        supervisor.forget(open.port, token)
        close(open.port)
        for index in open.inputs { inputs[index].token = nil }
        report(open.inputs) { $0.lost(at: supervisor.loop.now) }
        for index in open.inputs { miss(index, fault(cause, index)) }
        // Not at once: one that opens and then cannot be read would keep the loop busy.
        scanLater()
    }

    /// None of its ports is waited for any more.
    func cannotWait() { for token in ports.keys { lose(token, Self.cannotBeWaitedFor) } }

    private static let cannotBeWaitedFor = DriverFault.Cause.unusable(
        why: "there is no thread or descriptor left to wait for it", remedy: "let hapticd have more of them")

    private func fault(_ cause: DriverFault.Cause, _ index: Int) -> InputFault {
        let address = wanted[index].source.address
        return InputFault(DriverFault(cause, device: "\(address)"), isKey: address.isKey)
    }

    /// Gives everything back. `releases`: what is held is released, which is reported.
    func end(releases: Bool) {
        hasEnded = true
        retry.end()
        for (token, open) in ports {
            open.cancelWait?()
            supervisor?.forget(open.port, token)
            close(open.port)
        }
        ports = [:]
        guard let supervisor, releases else { return }
        report(Array(inputs.indices)) { $0.lost(at: supervisor.loop.now) }
    }

    private func close(_ port: any InputPort) { errands.add { port.close() } }

    // MARK: Reading

    /// When an input that is closed opens; of those that are being looked at after that.
    var nextDeadline: MonotonicInstant {
        ports.values.lazy.filter { !$0.awaitsLevels }.flatMap { $0.inputs }.map { self.inputs[$0].debouncer.nextDeadline }.min()
            ?? .distantFuture
    }

    /// Inputs that were closed are open by `now`. What happened before that may still have to be read.
    func open(by now: MonotonicInstant) {
        for (token, open) in ports where open.inputs.contains(where: { inputs[$0].debouncer.nextDeadline <= now }) {
            read(token, hasEnded: false)
        }
    }

    /// Reads what is waiting in its open ports. Returns whether nothing is left.
    func readAll() -> Bool {
        var isLast = true
        for token in ports.keys where !read(token, hasEnded: false) { isLast = false }
        return isLast
    }

    /// Reads a bounded number of events. `hasEnded`: there will be no more. Returns whether nothing is left to read.
    @discardableResult
    func read(_ token: UInt64, hasEnded: Bool) -> Bool {
        guard let supervisor, let open = ports[token] else { return true }
        guard !open.awaitsLevels else { return false }
        let now = supervisor.loop.now
        let reading: InputReading
        do throws(InputPortError) {
            reading = try open.port.read()
        } catch {
            lose(token, DriverFault(errno: error.errno, device: "", isOpen: true).cause)
            return true
        }
        if !reading.edges.isEmpty { retry.succeed() }
        var changes: [InputChange] = []
        // Before Linux 5.7 lines have the clock on the wall.
        for edge in reading.edges {
            let index = open.inputs[edge.input]
            changes += change(index) { $0.edge(edge.isDown, at: min(edge.at, now)) }
        }
        if reading.isLast, !reading.hasGap, !hasEnded {
            for index in open.inputs { changes += change(index) { $0.advance(to: now) } }
        }
        report(changes)
        if reading.hasGap {
            awaitLevels(token)
            return false
        }
        if reading.isLast, hasEnded { lose(token, .deviceLost) } else { supervisor.waitAgain(for: open.port, token) }
        return reading.isLast
    }

    /// Edges may have been missed.
    private func awaitLevels(_ token: UInt64) {
        guard let supervisor, let open = ports[token] else { return }
        let now = supervisor.loop.now
        ports[token]?.awaitsLevels = true
        let next = open.levelsAt + Self.leastReadInterval
        guard next > now else { return readLevels(token) }
        ports[token]?.cancelWait = supervisor.loop.schedule(at: next) { [weak self] in self?.readLevels(token) }
    }

    private func readLevels(_ token: UInt64) {
        guard let supervisor, let port = ports[token]?.port else { return }
        let now = supervisor.loop.now
        ports[token]?.levelsAt = now
        ports[token]?.cancelWait = supervisor.loop.schedule(at: now + Self.longestRead) { [weak self] in
            self?.lose(token, .hanging)
        }
        supervisor.loop.perform(
            { Result { () throws(InputPortError) -> InputLevels in try port.levels() } }, in: errands,
            then: { [weak self] result in self?.levelsAreRead(result, token) })
    }

    private func levelsAreRead(_ result: Result<InputLevels, InputPortError>, _ token: UInt64) {
        guard let supervisor, let open = ports[token] else { return }
        open.cancelWait?()
        ports[token]?.awaitsLevels = false
        switch result {
        case .success(let levels):
            resync(levels, open.inputs)
            supervisor.waitAgain(for: open.port, token)
        case .failure(let error): lose(token, DriverFault(errno: error.errno, device: "", isOpen: true).cause)
        }
        supervisor.setTimer()
    }

    private func resync(_ levels: InputLevels, _ own: [Int]) {
        guard let supervisor else { return }
        let at = min(levels.at, supervisor.loop.now)
        report(zip(own, levels.areDown).flatMap { index, isDown in change(index) { $0.resync(isDown, at: at) } })
    }

    // MARK: Reporting

    /// What happens to one of its inputs, and what changes by that.
    private func change(_ index: Int, _ happen: (inout Debouncer) -> [SwitchChange]) -> [InputChange] {
        happen(&inputs[index].debouncer).map {
            InputChange(input: indices[index], isDown: $0.isDown, at: $0.at, cause: $0.cause)
        }
    }

    private func report(_ own: [Int], _ happen: (inout Debouncer) -> [SwitchChange]) {
        report(own.flatMap { change($0, happen) })
    }

    private func report(_ changes: [InputChange]) { if !changes.isEmpty { supervisor?.listener.changed(changes) } }
}
