// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import Testing

@testable import HapticBoard

private let absent = DriverFault(.absent, device: "pad")
private let gone = DriverFault(.deviceLost, device: "pad")
private let busy = DriverFault(.busy(holder: "fftest"), device: "pad")
private let denied = DriverFault(.permission, device: "pad")
private let hanging = DriverFault(.hanging, device: "pad")
private let noGuard = DriverFault(.unusable(why: "no guard", remedy: "wait"), device: "pad")

@Suite("The states of a device")
struct DeviceStateTests {
    private let now = MonotonicInstant.zero + .seconds(100)

    private func device(isWatched: Bool = true) -> DeviceState { DeviceState(isWatched: isWatched, at: now) }

    /// Being opened for the first time.
    private func opening(isWatched: Bool = true) -> DeviceState {
        var device = device(isWatched: isWatched)
        #expect(device.begin() == [.open])
        return device
    }

    /// In the hands of the executor.
    private func driven(isWatched: Bool = true) -> DeviceState {
        var device = opening(isWatched: isWatched)
        #expect(device.opened(at: now) == [.handOver])
        #expect(device.restored() == [.announceThere(after: .nothing)])
        return device
    }

    private func missing(_ fault: DriverFault, isWatched: Bool = true) -> DeviceState {
        var device = opening(isWatched: isWatched)
        _ = device.failedToOpen(fault, at: now)
        return device
    }

    private func closing() -> DeviceState {
        var device = driven()
        #expect(device.reload(isKept: true, at: now) == [.close])
        return device
    }

    // MARK: The first opening

    @Test("A device is opened once there is an executor, and not again by a second one")
    func begin() {
        var device = device()
        #expect(device.seen() == [])
        #expect((device.begin(), device.begin()) == ([.open], []))
    }

    @Test("A device that takes its time is announced once, and is there later than that")
    func late() {
        var device = opening()
        #expect(device.isLate() == [.announceOpening])
        #expect(device.isLate() == [])
        #expect(device.opened(at: now) == [.handOver])
        #expect(device.restored() == [.announceThere(after: .opening)])
        #expect(device.restored() == [])
    }

    // MARK: Why it cannot be opened

    @Test(
        "A device that is not there, or not permitted, is tried again once something changes in /dev",
        arguments: [absent, denied])
    func awaitsChange(fault: DriverFault) {
        var device = opening()
        #expect(device.failedToOpen(fault, at: now) == [.announceLost(fault, isNews: true)])
        #expect(device.retryIsDue(at: now + .seconds(3600)) == [])
        #expect(device.seen() == [.open])
    }

    @Test("A device whose coming nobody would notice is tried again after a while")
    func notWatched() {
        var device = opening(isWatched: false)
        #expect(
            device.failedToOpen(absent, at: now) == [
                .announceLost(absent, isNews: true), .retry(at: now + .milliseconds(100)),
            ])
        #expect(device.seen() == [])
    }

    @Test(
        "A device that someone else holds, or that hangs, is tried again after 100 ms, 200 ms, up to 30 s",
        arguments: [busy, hanging])
    func backOff(fault: DriverFault) {
        var device = opening()
        var now = now
        for (count, wait) in [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000].enumerated() {
            let instant = now + .milliseconds(Int64(wait))
            #expect(
                device.failedToOpen(fault, at: now) == [.announceLost(fault, isNews: count == 0), .retry(at: instant)])
            #expect(device.retryIsDue(at: instant - .milliseconds(1)) == [])
            #expect(device.retryIsDue(at: instant) == [.open])
            now = instant
        }
        #expect(device.retryIsDue(at: now) == [], "one try at a time")
    }

    @Test("A change in /dev during an opening that finds no device causes another one at once")
    func cameWhileOpening() {
        var device = opening()
        #expect(device.seen() == [])
        #expect(device.failedToOpen(absent, at: now) == [.announceLost(absent, isNews: true), .open])
        #expect(device.failedToOpen(absent, at: now) == [.announceLost(absent, isNews: false)])
    }

    // MARK: Lost and back

    @Test("A device that was lost while it was being opened is looked at as soon as it is open, and taken back")
    func lostWhileOpening() {
        var device = opening()
        #expect(device.seen() == [])
        #expect(device.opened(at: now) == [.handOver, .look])
        #expect(device.withdraw(gone) == [.withdraw(gone)])
        #expect(device.withdraw(gone) == [], "once is enough")
        #expect(device.restored() == [], "it is about to go")
        #expect(
            device.faulted(gone, at: now) == [.announceLost(gone, isNews: true), .retry(at: now + .milliseconds(100))])
    }

    @Test("A device that is back under another name before its loss is known is found 100 ms after that")
    func backUnderAnotherName() {
        var device = driven()
        let look = now + .milliseconds(100)
        #expect(device.faulted(gone, at: now) == [.announceLost(gone, isNews: true), .retry(at: look)])
        #expect(device.retryIsDue(at: look) == [.open])
        #expect(device.opened(at: look) == [.handOver])
        #expect(device.restored() == [.announceThere(after: .lost)])
    }

    @Test("A change in /dev before that look comes instead of it")
    func seenBeforeLook() {
        var device = driven()
        _ = device.faulted(gone, at: now)
        #expect(device.seen() == [.cancelRetry, .open])
        #expect(device.failedToOpen(absent, at: now) == [.announceLost(absent, isNews: false)])
        #expect(device.retryIsDue(at: now + .milliseconds(100)) == [])
    }

    @Test("A fault that follows another by less than a minute goes on backing off, and a later one begins again")
    func faultsInARow() {
        var device = driven(isWatched: false)
        #expect(device.faulted(hanging, at: now).last == .retry(at: now + .milliseconds(100)))
        _ = device.retryIsDue(at: now + .milliseconds(100))
        _ = device.opened(at: now + .seconds(1))
        _ = device.restored()
        #expect(device.faulted(hanging, at: now + .seconds(2)).last == .retry(at: now + .seconds(2) + .milliseconds(200)))
        _ = device.retryIsDue(at: now + .seconds(3))
        _ = device.opened(at: now + .seconds(3))
        let later = now + .seconds(63)
        #expect(device.faulted(hanging, at: later).last == .retry(at: later + .milliseconds(100)))
    }

    @Test("At a change in /dev a device that is driven is looked at, until the executor is to let go of it")
    func look() {
        var device = driven()
        #expect(device.seen() == [.look])
        #expect(device.withdraw(gone) == [.withdraw(gone)])
        #expect(device.seen() == [])
    }

    // MARK: The guard

    @Test("Without a guard a device that is driven is taken back, and tried again")
    func guardLost() {
        var device = driven(isWatched: false)
        #expect(device.withdraw(noGuard) == [.withdraw(noGuard)])
        #expect(
            device.faulted(noGuard, at: now) == [
                .announceLost(noGuard, isNews: true), .retry(at: now + .milliseconds(100)),
            ])
    }

    @Test("A device whose guard is lost while it is being opened is not driven")
    func guardLostWhileOpening() {
        var device = opening()
        #expect(device.withdraw(noGuard) == [])
        #expect(
            device.opened(at: now) == [.announceLost(noGuard, isNews: true), .retry(at: now + .milliseconds(100))])
    }

    // MARK: Reloads, in every state

    @Test("A reload before the first opening keeps the device waiting, or lets it go")
    func reloadConfigured() {
        var (kept, left) = (device(), device())
        #expect(kept.reload(isKept: true, at: now) == [])
        #expect(kept.begin() == [.open])
        #expect(left.reload(isKept: false, at: now) == [])
        #expect(left.hasEnded)
        #expect(left.begin() == [])
    }

    @Test("A reload during an opening waits for its end, gives the device back, and opens it for the next executor")
    func reloadOpening() {
        var device = opening()
        #expect(device.reload(isKept: true, at: now) == [])
        #expect(device.begin() == [])
        #expect(device.isLate() == [.announceOpening], "the executor that waits for it is the next one")
        #expect(device.opened(at: now) == [.close])
        #expect(device.closed() == [.open])
        #expect(device.opened(at: now) == [.handOver])
    }

    @Test("A reload during an opening that fails gives the device back, for it may be held all the same")
    func reloadOpeningThatFails() {
        var device = opening()
        #expect(device.reload(isKept: true, at: now) == [])
        #expect(device.failedToOpen(hanging, at: now) == [.close])
        #expect(device.closed() == [])
        #expect(device.begin() == [.open])
    }

    @Test("A reload gives back what is driven, and opens it once there is another executor", arguments: [true, false])
    func reloadDriven(isClosedFirst: Bool) {
        var device = driven()
        #expect(device.reload(isKept: true, at: now) == [.close])
        if isClosedFirst {
            #expect(device.closed() == [])
            #expect(device.begin() == [.open])
        } else {
            #expect(device.begin() == [])
            #expect(device.closed() == [.open])
        }
        #expect(device.opened(at: now) == [.handOver])
    }

    @Test("A reload cancels the retry of a missing device and forgets its faults")
    func reloadMissing() {
        var device = missing(busy)
        #expect(device.reload(isKept: true, at: now) == [.cancelRetry, .close])
        #expect(device.closed() == [])
        #expect(device.begin() == [.open])
        #expect(
            device.failedToOpen(busy, at: now) == [.announceLost(busy, isNews: true), .retry(at: now + .milliseconds(100))])
    }

    @Test("The last of several reloads counts, while the device is being given back")
    func reloadClosing() {
        var device = closing()
        #expect(device.begin() == [])
        #expect(device.reload(isKept: false, at: now) == [])
        #expect(device.reload(isKept: true, at: now) == [])
        #expect(device.closed() == [], "there is no executor yet")
        #expect(device.begin() == [.open])
    }

    @Test("A device that has left the configuration is gone once it has been given back, and nothing wakes it")
    func reloadEnded() {
        var device = closing()
        #expect(device.reload(isKept: false, at: now) == [])
        #expect(device.closed() == [])
        #expect(device.hasEnded)
        for actions in [device.begin(), device.seen(), device.isLate(), device.withdraw(gone)] { #expect(actions == []) }
        #expect(device.reload(isKept: true, at: now) == [])
        #expect(device.hasEnded)
    }

    // MARK: Preparing

    @Test("Patterns are prepared where the device is open, or is expected to be in a moment")
    func preparations() {
        var late = opening()
        #expect(driven().takesPreparations)
        #expect(late.takesPreparations)
        _ = late.isLate()
        for device in [late, missing(absent), closing(), device()] { #expect(!device.takesPreparations) }
    }
}
