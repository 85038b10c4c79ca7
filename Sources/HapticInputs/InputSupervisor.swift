// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticThreads

/// What a hand did to one of the inputs.
public struct InputChange: Hashable, Sendable {
    /// Its index among the inputs that are in use.
    public var input: Int
    public var isDown: Bool
    /// When, on the kernel's clock; never later than now.
    public var at: MonotonicInstant
    public var cause: SwitchChange.Cause

    public init(input: Int, isDown: Bool, at: MonotonicInstant, cause: SwitchChange.Cause) {
        self.input = input
        self.isDown = isDown
        self.at = at
        self.cause = cause
    }
}

/// Who is notified of what happens to inputs. Called on the supervisor's loop; must not call it back.
public struct InputListener {
    /// What one look at a device has found, in order; not empty.
    public var changed: ([InputChange]) -> Void
    /// An input cannot be read, and why, once for each reason; nil: now it can, after it could not.
    public var isMissing: (_ input: Int, InputFault?) -> Void

    public init(changed: @escaping ([InputChange]) -> Void, isMissing: @escaping (_ input: Int, InputFault?) -> Void) {
        self.changed = changed
        self.isMissing = isMissing
    }
}

/// Reads keys, buttons and switches: opens their devices, finds returned devices again, and reports each press and release.
///
/// Everything is on one loop, where devices are only read, which does not wait. What may hang (to open, to look at levels, to close) is done
/// on a thread of the device, so that one that hangs delays itself only. It has a thread to wait for them, once the first is open.
public final class InputSupervisor {
    let loop: any BoardLoop
    let system: any InputSystem
    let listener: InputListener
    /// Whether `devicesHaveChanged` is called; else what is missing is looked for again and again.
    let isWatching: Bool
    private var units: [InputUnit] = []
    private var readers: [UInt64: InputUnit] = [:]
    private var lastToken: UInt64 = 0
    private var bell: DescriptorBell?
    private var unwatch: Cancellation?
    private var timer: (deadline: MonotonicInstant, cancel: Cancellation)?
    private var firstLevels: (done: () -> Void, cancelTimer: Cancellation)?

    /// `isWatching`: whether `devicesHaveChanged` is going to be called. Nothing is opened before `use`. On `loop`, as everything here.
    public convenience init(on loop: any BoardLoop, isWatching: Bool, listener: InputListener) {
        self.init(on: loop, isWatching: isWatching, system: KernelInputs(), listener: listener)
    }

    init(on loop: any BoardLoop, isWatching: Bool, system: any InputSystem, listener: InputListener) {
        self.loop = loop
        self.isWatching = isWatching
        self.system = system
        self.listener = listener
    }

    /// Uses these inputs from here on. A device whose inputs and their purposes are the same as before stays open, and what is held there
    /// stays held. The others let go, which is reported before this returns, by their indices among the inputs until now. If a device of
    /// these is opened again, the levels that count as found are reported after this has returned.
    public func use(_ inputs: [DeviceInput]) {
        let former = units
        var kept: [(unit: InputUnit, indices: [Int])] = []
        for (key, indices) in InputUnit.grouped(inputs) {
            let wanted = indices.map { inputs[$0] }
            if let index = units.firstIndex(where: { $0.key == key && $0.wanted == wanted }) {
                kept.append((units.remove(at: index), indices))
            } else {
                let before = former.first { $0.key.excludes(key) }
                kept.append((InputUnit(key, wanted, indices, after: before, of: self), indices))
            }
        }
        for unit in units { unit.end(releases: true) }
        for (unit, indices) in kept { unit.indices = indices }
        units = kept.map(\.unit)
        for unit in units { unit.scan() }
        setTimer()
    }

    /// Calls `done` once the first levels of all inputs in use have been reported, or their devices could not be opened; after `longest` at
    /// the latest. Once, after the first `use`.
    public func awaitFirstLevels(within longest: Nanoseconds, _ done: @escaping () -> Void) {
        firstLevels = (done, loop.schedule(at: loop.now + longest) { self.endFirstLevels() })
        unitHasScanned()
    }

    /// Why those that cannot be read cannot be, by their indices; as far as it has been reported.
    public var faults: [Int: InputFault] {
        Dictionary(units.flatMap { unit in unit.faults.map { (unit.indices[$0], $1) } }) { first, _ in first }
    }

    /// Devices have come, gone or changed hands.
    public func devicesHaveChanged() { for unit in units { unit.scan() } }

    /// Reads what is waiting in all open devices, without waiting for the thread that reports it. Returns whether nothing is left to read:
    /// false where a device had more than one reading, or its levels are still to be read.
    public func readAll() -> Bool {
        read()
        let isLast = units.map { $0.readAll() }.allSatisfy(\.self)
        setTimer()
        return isLast
    }

    /// Gives every device back. Nothing is reported any more.
    public func shutDown() {
        for unit in units { unit.end(releases: false) }
        units = []
        timer?.cancel()
        timer = nil
        unwatch?()
        unwatch = nil
        bell = nil
    }

    // MARK: For the units

    /// A unit has looked at its device.
    func unitHasScanned() { if units.allSatisfy(\.hasScanned) { endFirstLevels() } }

    private func endFirstLevels() {
        guard let (done, cancelTimer) = firstLevels.take() else { return }
        cancelTimer()
        done()
    }

    /// Waits for a port, and returns by which token; nil where it cannot.
    func wait(for port: any InputPort, of unit: InputUnit) -> UInt64? {
        guard let bell = startedBell() else { return nil }
        lastToken += 1
        guard bell.add(port.descriptor, token: lastToken) else { return nil }
        readers[lastToken] = unit
        return lastToken
    }

    func waitAgain(for port: any InputPort, _ token: UInt64) { bell?.rearm(port.descriptor, token: token) }

    func forget(_ port: any InputPort, _ token: UInt64) {
        bell?.remove(port.descriptor)
        readers[token] = nil
    }

    private func startedBell() -> DescriptorBell? {
        if let bell { return bell }
        guard let started = DescriptorBell(name: "hapticd-inputs") else { return nil }
        bell = started
        unwatch = loop.watch(
            started.descriptor,
            DescriptorEvents(readable: { [weak self] in self?.read() }, failed: { [weak self] _ in self?.cannotWait() }))
        return started
    }

    /// The loop cannot watch the bell. It is tried again with the inputs.
    private func cannotWait() {
        bell = nil
        for unit in units { unit.cannotWait() }
    }

    private func read() {
        for ready in bell?.take() ?? [] { readers[ready.token]?.read(ready.token, hasEnded: ready.hasEnded) }
        setTimer()
    }

    /// Calls again when the first closed input opens.
    func setTimer() {
        let deadline = units.map(\.nextDeadline).min() ?? .distantFuture
        guard deadline != timer?.deadline else { return }
        timer?.cancel()
        timer = nil
        guard deadline < .distantFuture else { return }
        // One that is overdue is of a device that has so much to report that it has not been read to the end.
        let instant = deadline > loop.now ? deadline : loop.now + .milliseconds(1)
        let cancel = loop.schedule(at: instant) { [weak self] in
            guard let self else { return }
            timer = nil
            for unit in units { unit.open(by: loop.now) }
            setTimer()
        }
        timer = (deadline, cancel)
    }
}
