// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticGuard
internal import HapticThreads

/// Replaces a guard that dies while the daemon lives: without one a crash would leave a motor on. On the board's loop.
final class GuardKeeper {
    let link: GuardLink
    weak var board: Board?
    private let loop: any BoardLoop
    private let errands = ErrandQueue()
    private let log: BoardLog
    private var unwatch: Cancellation?
    private var hasEnded = false

    init(_ link: GuardLink, on loop: any BoardLoop, log: @escaping BoardLog) {
        self.link = link
        self.loop = loop
        self.log = log
    }

    /// To be called whenever a guard may have been started.
    func watch() {
        guard unwatch == nil, !hasEnded, link.isStarted else { return }
        unwatch = loop.watch(
            link.lifeline,
            DescriptorEvents(
                ended: { [weak self] in self?.replace() },
                failed: { [weak self] error in
                    self?.unwatch = nil
                    self?.log(.error, "the guard is not watched: \(error); should it die it is not replaced, so restart hapticd")
                }))
    }

    private func replace() {
        guard !hasEnded, unwatch != nil else { return }
        unwatch = nil
        log(.error, "the guard, which switches outputs off should hapticd die, has ended; starting another")
        let link = link
        loop.perform(
            { Result { () throws(DriverFault) in try link.replace() } }, in: errands,
            then: { [weak self] result in
                switch result {
                case .success: self?.watch()
                case .failure(let fault):
                    self?.log(.critical, "no other guard could be started, so what needs one is switched off")
                    // Switching it off is not enough: the next actuation would drive it, with nobody to switch it off.
                    self?.board?.guardIsLost(fault)
                }
            })
    }

    /// Every device has been given back. `done` once the guard has gone.
    func end(_ done: @escaping () -> Void) {
        hasEnded = true
        unwatch?()
        let link = link
        loop.perform({ link.end() }, in: errands, then: { _ in done() })
    }
}
