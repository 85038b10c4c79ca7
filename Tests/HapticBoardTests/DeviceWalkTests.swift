// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import TestSupport
import Testing

@testable import HapticBoard

/// A world around one device, which does what the device's state says and may do anything that the real one may.
private struct World {
    var state: DeviceState
    var now = MonotonicInstant.zero + .seconds(1)
    private let isWatched: Bool
    /// Threads that are opening or closing it.
    private(set) var openings = 0
    private(set) var closings = 0
    /// Held by a driver, as the kernel sees it.
    private(set) var isHeld = false
    private(set) var hasExecutor = false
    /// The executor drives it, or has been asked to.
    private var isHandedOver = false
    private var owesRestored = false
    private var retryAt: MonotonicInstant?
    private var looks = 0
    private(set) var mistakes: [String] = []
    private(set) var openCount = 0
    private(set) var drivenCount = 0

    init(isWatched: Bool) {
        self.isWatched = isWatched
        state = DeviceState(isWatched: isWatched, at: .zero)
    }

    private mutating func carryOut(_ actions: [DeviceState.Action]) {
        for action in actions {
            switch action {
            case .open:
                openings += 1
                openCount += 1
                require(!isHandedOver, "opened while the executor has it")
                require(hasExecutor, "opened for no executor")
            case .close:
                closings += 1
                require(!isHandedOver, "closed while the executor has it")
            case .handOver:
                require(isHeld && !isHandedOver, "handed over what is not open, or twice")
                (isHandedOver, owesRestored) = (true, true)
                drivenCount += 1
            case .withdraw: require(isHandedOver, "withdrawn from nobody")
            case .retry(let instant):
                require(retryAt == nil, "two tries planned")
                require(instant > now && instant <= now + .seconds(30), "a try at \(instant)")
                retryAt = instant
            case .cancelRetry:
                require(retryAt != nil, "no try to cancel")
                retryAt = nil
            case .probe: looks += 1
            case .announceOpening, .announceLost, .announceThere: break
            }
        }
        check()
    }

    private mutating func require(_ condition: Bool, _ mistake: String) {
        if !condition { mistakes.append(mistake) }
    }

    /// Always one try planned or one event awaited.
    private mutating func check() {
        require(openings + closings <= 1, "\(openings) openings and \(closings) closings at once")
        switch state {
        case .configured: require(openings + closings == 0 && !isHeld && retryAt == nil, "configured, and held or busy")
        case .opening: require(openings == 1 && retryAt == nil, "opening, and nobody opens it, or a try is planned")
        case .driven: require(isHandedOver && openings + closings == 0 && retryAt == nil, "driven by nobody, or busy")
        case .missing(let missing):
            require(missing.retryAt == retryAt, "a try at another time than was planned")
            require(retryAt != nil || missing.awaitsChange && isWatched, "nothing will bring it back")
            require(!isHandedOver && openings + closings == 0, "missing, and driven or busy")
        case .closing: require(closings == 1 && retryAt == nil, "closing, and nobody closes it, or a try is planned")
        case .ended: require(!isHeld && openings + closings == 0 && retryAt == nil, "ended, and held or busy")
        }
    }

    // MARK: What may happen

    mutating func begin() {
        guard !hasExecutor else { return }
        hasExecutor = true
        carryOut(state.begin())
    }

    /// As the board does: the executor has ended before any device hears of it.
    mutating func reload(isKept: Bool) {
        hasExecutor = false
        (isHandedOver, owesRestored) = (false, false)
        carryOut(state.reload(isKept: isKept, at: now))
    }

    mutating func shutDown() {
        hasExecutor = false
        (isHandedOver, owesRestored) = (false, false)
        carryOut(state.shutDown(at: now))
    }

    mutating func endOpening(_ fault: DriverFault?) {
        guard openings > 0 else { return }
        openings -= 1
        // What failed may be held all the same, where it failed late.
        isHeld = fault == nil || fault?.cause == .hanging
        if let fault { carryOut(state.failedToOpen(fault, at: now)) } else { carryOut(state.opened(at: now)) }
    }

    mutating func endClosing() {
        guard closings > 0 else { return }
        closings -= 1
        isHeld = false
        carryOut(state.closed())
    }

    mutating func restore() {
        guard isHandedOver, owesRestored else { return }
        owesRestored = false
        carryOut(state.restored())
    }

    mutating func fault(_ fault: DriverFault) {
        guard isHandedOver else { return }
        (isHandedOver, owesRestored) = (false, false)
        carryOut(state.faulted(fault, at: now))
    }

    mutating func endLook(_ fault: DriverFault) {
        guard looks > 0 else { return }
        looks -= 1
        if case .driven = state { carryOut(state.withdraw(fault)) }
    }

    mutating func loseGuard(_ fault: DriverFault) { carryOut(state.withdraw(fault)) }
    mutating func see() { carryOut(state.seen()) }
    mutating func isLate() { carryOut(state.isLate()) }

    /// A timer that was cancelled may fire all the same.
    mutating func advance(_ time: Nanoseconds) {
        now = now + time
        if let instant = retryAt, instant <= now { retryAt = nil }
        carryOut(state.retryIsDue(at: now))
    }
}

@Suite("A device at random")
struct DeviceWalkTests {
    private static let faults = [
        DriverFault.Cause.absent, .deviceLost, .hanging, .permission, .busy(holder: nil), .io(errno: 5), .closed,
        .ambiguous(["a", "b"]), .unusable(why: "it is", remedy: "do not"),
    ].map { DriverFault($0, device: "pad") }

    @Test(
        "A device is opened by one thread at a time, always has a try planned or awaits an event, and is not open at the end",
        arguments: 0..<20 as Range<UInt64>)
    func walk(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var world = World(isWatched: seed % 2 == 0)
        for step in 0..<2000 {
            let fault = Self.faults.randomElement(using: &random)!
            switch Int.random(in: 0..<24, using: &random) {
            case 0...3: world.begin()
            // A device that has left the configuration for good would end the walk early.
            case 4: world.reload(isKept: Bool.random(using: &random) || step < 1900)
            case 5...8: world.endOpening(nil)
            case 9, 10: world.endOpening(fault)
            case 11...13: world.endClosing()
            case 14, 15: world.restore()
            case 16: world.fault(fault)
            case 17: world.endLook(fault)
            case 18: world.loseGuard(fault)
            case 19, 20: world.see()
            case 21: world.isLate()
            default: world.advance(.milliseconds(Int64.random(in: 1...40_000, using: &random)))
            }
            guard world.mistakes.isEmpty else { break }
        }
        world.shutDown()
        // In any order, and with whatever else happens meanwhile.
        for _ in 0..<4 {
            world.see()
            world.isLate()
            world.advance(.seconds(60))
            world.endOpening(Bool.random(using: &random) ? nil : Self.faults.randomElement(using: &random))
            world.endClosing()
        }
        #expect(world.mistakes == [], "seed \(seed)")
        #expect(world.state.hasEnded, "seed \(seed): \(world.state)")
        #expect(!world.isHeld, "seed \(seed): \(world.state)")
        #expect(world.openings + world.closings == 0, "seed \(seed): \(world.state)")
        #expect(world.openCount > 20, "seed \(seed): it has hardly been anywhere")
        #expect(world.drivenCount > 5, "seed \(seed): it has hardly been anywhere")
    }
}
