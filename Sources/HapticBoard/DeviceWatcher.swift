// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
internal import HapticCore
internal import HapticThreads

/// Notices when devices come, go, or change hands, by inotify on the folders where their nodes are. Netlink would not reach a service
/// without network. On the board's loop.
final class DeviceWatcher {
    private static let folders = ["/dev", "/dev/input"]
    /// Nodes come and change in bursts. One look, so long after the first change, is enough for all of them.
    private static let burstTime = Nanoseconds.milliseconds(50)

    private let descriptor: Int32
    private let loop: any BoardLoop
    private let changed: () -> Void
    private var unwatch: Cancellation?
    private var isWaiting = false

    /// Nil where the kernel gives no inotify; `errno` says why.
    init?(on loop: any BoardLoop, _ changed: @escaping () -> Void) {
        descriptor = clinux_inotify()
        self.loop = loop
        self.changed = changed
        guard descriptor >= 0 else { return nil }
        watchFolders()
        unwatch = loop.watch(descriptor, DescriptorEvents(readable: { [weak self] in self?.notice() }))
    }

    func stop() { unwatch?() }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watching a folder again has no effect.
    private func watchFolders() {
        for folder in Self.folders { _ = clinux_inotify_watch(descriptor, folder) }
    }

    private func notice() {
        guard !isWaiting else { return }
        isWaiting = true
        _ = loop.schedule(at: loop.now + Self.burstTime) { [weak self] in
            guard let self else { return }
            isWaiting = false
            // /dev/input comes with the first device in it.
            watchFolders()
            changed()
        }
    }
}
