// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import Synchronization
import TestSupport

/// A pad made through `/dev/uinput` that serves what the kernel passes on and knows what would be felt of it.
///
/// A witness: it shares nothing with the driver, not even the layout of an effect, which it takes from bytes by the kernel's headers
/// (`linux/uinput.h`, `linux/input.h`) for a machine of 64 bits.
final class UinputPad: Sendable {
    struct State {
        var effects: [Int16: [UInt8]] = [:]
        var playing: Set<Int16> = []
        var uploads = 0
        var gain: Int32?
        /// Lengths of 0, delays, plays of empty slots.
        var mistakes: [String] = []
        var isGone = false
    }

    struct Trouble: Error { var call: String, errno: Int32 }

    let name: String
    let state = Mutex(State())
    private let descriptor: Int32
    private let breaks = Atomic(false)
    private let lastEvent = Atomic<Int64>(0)
    /// When the last look began that found nothing to read.
    private let lastEmptyLook = Atomic<Int64>(0)

    private enum Code {
        static let effectSize = 48
        static let force: UInt16 = 0x15
        static let uinput: UInt16 = 0x101
        static let rumble: UInt16 = 0x50
        static let periodic: UInt16 = 0x51
        static let constant: UInt16 = 0x52
        static let gain: UInt16 = 0x60
    }

    /// `_IOC` of the kernel for uinput: direction 0 none, 1 write, 2 read.
    private static func request(_ direction: UInt, _ number: UInt, _ size: UInt) -> UInt {
        direction << 30 | size << 16 | UInt(UInt8(ascii: "U")) << 8 | number
    }

    /// `codes`: those of EV_FF that it has.
    init(name: String, codes: [UInt16], slots: UInt32) throws {
        self.name = name
        let descriptor = open("/dev/uinput", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Trouble(call: "open", errno: errno) }
        self.descriptor = descriptor
        func set(_ number: UInt, _ value: Int32) throws {
            guard ioctl(descriptor, Self.request(1, number, 4), value) >= 0 else {
                throw Trouble(call: "set \(number)", errno: errno)
            }
        }
        try set(100, 0x01)
        try set(101, 0x130)
        try set(100, Int32(Code.force))
        for code in codes { try set(107, Int32(code)) }
        var setup = [UInt8](repeating: 0, count: 92)
        setup.replaceSubrange(0..<6, with: [0x03, 0, 0x5e, 0x04, 0x8e, 0x02])
        setup.replaceSubrange(8..<8 + name.utf8.count, with: name.utf8)
        setup.replaceSubrange(88..<92, with: withUnsafeBytes(of: slots.littleEndian, Array.init))
        guard ioctl(descriptor, Self.request(1, 3, 92), &setup) >= 0 else { throw Trouble(call: "setup", errno: errno) }
        guard ioctl(descriptor, Self.request(0, 1, 0), 0) >= 0 else { throw Trouble(call: "create", errno: errno) }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { pad in
                Unmanaged<UinputPad>.fromOpaque(pad!).takeRetainedValue().serve()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        pthread_detach(thread)
    }

    /// Unplugs it.
    func remove() {
        state.withLock { $0.isGone = true }
        try? wait(for: "the pad's thread to end") { state.withLock { !$0.isGone } }
    }

    /// The next upload fails.
    func failOnce() { breaks.store(true, ordering: .sequentiallyConsistent) }
    /// What is felt, once nothing has come for 20 ms and a look that began since found nothing: what the kernel has taken may still be on
    /// its way, and the thread that reads it may not have had its turn.
    var output: Level {
        let asked = Self.now
        func hasSettled() -> Bool {
            Self.now - max(asked, lastEvent.load(ordering: .sequentiallyConsistent)) > 20
                && lastEmptyLook.load(ordering: .sequentiallyConsistent) > asked
        }
        while !hasSettled(), Self.now - asked < 2000 { usleep(2000) }
        return state.withLock { state in
            state.playing.compactMap { state.effects[$0] }.map(Self.felt).reduce(.off) { sum, one in
                Level(
                    intensity: Intensity(clamping: sum.intensity.value + one.intensity.value),
                    sharpness: max(sum.sharpness, one.sharpness))
            }
        }
    }

    /// In milliseconds.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> Double {
        Double(UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8)
    }

    private static func felt(_ effect: [UInt8]) -> Level {
        switch UInt16(word(effect, 0)) {
        case Code.rumble:
            let (strong, weak) = (word(effect, 16), word(effect, 18))
            return Level(
                intensity: Intensity(clamping: hypot(strong, weak) / 65535),
                sharpness: Sharpness(clamping: atan2(weak, strong) / (.pi / 2)))
        case Code.periodic:
            return Level(
                intensity: Intensity(clamping: word(effect, 20) / 32767),
                sharpness: Sharpness(clamping: log2(20 / word(effect, 18)) / 2))
        default: return Level(intensity: Intensity(clamping: word(effect, 16) / 32767), sharpness: .zero)
        }
    }

    // MARK: The device's side, on a thread of its own

    private func serve() {
        // uinput keeps 16 events for a reader and then loses them: a witness must never be the slower one. Without the right to, it tries.
        var priority = sched_param(sched_priority: 60)
        _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)
        var event = [UInt8](repeating: 0, count: 24)
        while !state.withLock({ $0.isGone }) {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let began = Self.now
            let count = poll(&poller, 1, 10)
            if count == 0 { lastEmptyLook.store(began, ordering: .sequentiallyConsistent) }
            guard count > 0 else {
                usleep(1000)
                continue
            }
            while read(descriptor, &event, 24) == 24 { handle(event) }
        }
        _ = ioctl(descriptor, Self.request(0, 2, 0), 0)
        close(descriptor)
        state.withLock { state in
            state.isGone = false
            state.playing = []
        }
    }

    private func handle(_ event: [UInt8]) {
        let (type, code) = (UInt16(Self.word(event, 16)), UInt16(Self.word(event, 18)))
        let value = event.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 20, as: Int32.self) }
        switch (type, code) {
        case (Code.uinput, 1): upload(value)
        case (Code.uinput, 2): erase(value)
        case (Code.force, Code.gain): state.withLock { $0.gain = value }
        case (Code.force, _):
            state.withLock { state in
                let id = Int16(code)
                if value > 0 { state.playing.insert(id) } else { state.playing.remove(id) }
                if value > 0, state.effects[id] == nil { state.mistakes.append("slot \(id) was played, and it is empty") }
            }
        default: return
        }
        lastEvent.store(Self.now, ordering: .sequentiallyConsistent)
    }

    private func answer(_ bytes: inout [UInt8], _ number: UInt, _ result: Int32 = 0) {
        bytes.replaceSubrange(4..<8, with: withUnsafeBytes(of: result, Array.init))
        _ = ioctl(descriptor, Self.request(1, number, UInt(bytes.count)), &bytes)
    }

    private func upload(_ request: Int32) {
        var bytes = [UInt8](repeating: 0, count: 8 + 2 * Code.effectSize)
        bytes.replaceSubrange(0..<4, with: withUnsafeBytes(of: request, Array.init))
        _ = ioctl(descriptor, Self.request(3, 200, UInt(bytes.count)), &bytes)
        let effect = Array(bytes[8..<8 + Code.effectSize])
        let isBroken = breaks.exchange(false, ordering: .sequentiallyConsistent)
        if !isBroken {
            state.withLock { state in
                state.uploads += 1
                let id = Int16(Self.word(effect, 2))
                let (length, delay) = (Self.word(effect, 10), Self.word(effect, 12))
                if length == 0 || length > 2000 || delay != 0 { state.mistakes.append("length \(length), delay \(delay)") }
                if state.playing.contains(id) { state.mistakes.append("slot \(id) was replaced while it played") }
                state.effects[id] = effect
            }
        }
        answer(&bytes, 201, isBroken ? -EIO : 0)
    }

    private func erase(_ request: Int32) {
        var bytes = [UInt8](repeating: 0, count: 12)
        bytes.replaceSubrange(0..<4, with: withUnsafeBytes(of: request, Array.init))
        _ = ioctl(descriptor, Self.request(3, 202, 12), &bytes)
        let id = Int16(Self.word(bytes, 8))
        state.withLock { state in
            state.effects[id] = nil
            state.playing.remove(id)
        }
        answer(&bytes, 203)
    }
}
