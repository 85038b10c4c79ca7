// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
internal import NIOCore

/// Says when devices come, go, or change hands: inotify on the folders where their nodes are. No polling, and no netlink, which does not
/// reach a service without network. On the event loop.
final class DeviceWatcher {
    private static let folders = ["/dev", "/dev/input"]
    /// Nodes come and change in bursts: one look a while after the first change is for all that came with it.
    private static let burstTime = TimeAmount.milliseconds(50)

    private let descriptor: CInt
    private let eventLoop: any EventLoop
    private let changed: () -> Void
    private var channel: (any Channel)?
    private var isWaiting = false

    /// Nil where the kernel gives no inotify; `errno` says why.
    init?(on eventLoop: any EventLoop, _ changed: @escaping () -> Void) {
        descriptor = clinux_inotify()
        self.eventLoop = eventLoop
        self.changed = changed
        guard descriptor >= 0 else { return nil }
        watchFolders()
        ReportHandler.watch(descriptor, on: eventLoop) { [weak self] in self?.notice() }
            .assumeIsolated().whenSuccess { [weak self] in self?.channel = $0 }
    }

    func stop() { channel?.close(promise: nil) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// A folder that is there already is only watched once, however often it is asked for.
    private func watchFolders() {
        for folder in Self.folders { _ = clinux_inotify_watch(descriptor, folder) }
    }

    private func notice() {
        guard !isWaiting else { return }
        isWaiting = true
        _ = eventLoop.assumeIsolated().scheduleTask(in: Self.burstTime) { [weak self] in
            guard let self else { return }
            isWaiting = false
            // /dev/input comes with the first device in it.
            watchFolders()
            changed()
        }
    }
}
