// SPDX-License-Identifier: MIT
import Foundation

/// A terminal without a screen: programs write to `terminal`, and what they wrote is read here.
final class PseudoTerminal {
    let terminal: FileHandle
    private let screen: Int32
    private var unseen = ""

    /// ioctls whose macros Swift cannot import.
    private static let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))

    init() throws {
        screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var (locked, index): (Int32, UInt32) = (0, 0)
        guard screen >= 0, ioctl(screen, Self.unlock, &locked) == 0, ioctl(screen, Self.number, &index) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        terminal = FileHandle(
            fileDescriptor: open("/dev/pts/\(index)", O_RDWR | O_NOCTTY | O_CLOEXEC), closeOnDealloc: true)
    }

    /// What has been written since the last time; the kernel keeps 4 KiB at least.
    func written() -> String {
        read()
        defer { unseen = "" }
        return unseen
    }

    private func read() {
        var (all, chunk): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 4096))
        while case let count = Glibc.read(screen, &chunk, chunk.count), count > 0 { all += chunk[..<count] }
        unseen += String(decoding: all, as: UTF8.self)
    }

    /// Waits for a text on the screen; returns all up to its end that has come since the last time.
    @discardableResult
    func see(_ text: String) throws -> String {
        var end: String.Index?
        do {
            try wait(for: "`\(text)` on the screen") {
                read()
                end = unseen.range(of: text)?.upperBound
                return end != nil
            }
        } catch { throw Waited(what: "`\(text)` on the screen; it has \(unseen.debugDescription)") }
        let seen = unseen[..<(end ?? unseen.endIndex)]
        unseen.removeSubrange(..<seen.endIndex)
        return String(seen)
    }

    /// In characters.
    func setWidth(_ width: UInt16) {
        var size = winsize(ws_row: 60, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
    }

    /// What the terminal does with keys: `ECHO` and so on.
    var flags: tcflag_t {
        var settings = termios()
        tcgetattr(screen, &settings)
        return settings.c_lflag
    }

    /// As a person at the keyboard.
    func type(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(screen, $0.baseAddress, $0.count) } }

    deinit { close(screen) }
}
