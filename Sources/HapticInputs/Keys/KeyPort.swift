// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore

#if Evdev
    private import CEvdev
    private import Glibc
    private import HapticThreads

    /// Some keys, switches and axes of an input device of the kernel. Others do not arrive here, and whoever else reads the device gets all
    /// as before.
    final class KeyPort: InputPort, @unchecked Sendable {
        // Unchecked: `events` belongs to whoever reads, which is one thread at a time by the rules of `InputPort`.
        let descriptor: Int32
        let path: String
        private var events: KeyEvents

        init(_ node: InputNode, _ keys: [InputKey]) throws(InputPortError) {
            path = node.path
            events = KeyEvents(keys)
            let descriptor = open(node.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw InputPortError(errno: errno) }
            var error = cevdev_mask_others(descriptor, keys.map(\.ofKernel), keys.count)
            if error == 0 { error = cevdev_use_monotonic_clock(descriptor) }
            guard error == 0 else {
                Glibc.close(descriptor)
                throw InputPortError(errno: error)
            }
            self.descriptor = descriptor
        }

        func read() throws(InputPortError) -> InputReading {
            var raw = [cevdev_event](repeating: cevdev_event(), count: Int(CEVDEV_MOST_EVENTS))
            let count = cevdev_read(descriptor, &raw)
            guard count >= 0 else { throw InputPortError(errno: -count) }
            var reading = InputReading()
            for event in raw.prefix(Int(count)) {
                events.take(
                    .init(type: event.type, code: event.code, value: event.value, at: MonotonicInstant(nanoseconds: event.ns)),
                    into: &reading)
            }
            reading.isLast = count < CEVDEV_MOST_EVENTS
            return reading
        }

        func levels() throws(InputPortError) -> InputLevels {
            let now = SystemClock.now
            let keys = events.keys
            var values = [Int32](repeating: 0, count: keys.count)
            let error = cevdev_read_values(descriptor, keys.map(\.ofKernel), keys.count, &values)
            guard error == 0 else { throw InputPortError(errno: error) }
            return InputLevels(areDown: zip(keys, values).map { $0.isDown(at: $1) ?? false }, at: now)
        }

        func close() { Glibc.close(descriptor) }
    }

    extension InputKey {
        fileprivate var ofKernel: cevdev_code { cevdev_code(type: kind.type, code: code ?? 0) }
    }

    enum KeyDevices {
        /// Opens the devices that have these keys, each once.
        static func open(_ match: DeviceMatch, _ keys: [InputKey]) -> InputOpening {
            let (nodes, target) = (InputNode.all(), match.path.flatMap(resolved))
            var opening = InputOpening()
            var found: [InputNode: [Int]] = [:]
            for (index, key) in keys.enumerated() {
                switch EvdevSearch.pick(match, among: nodes, target: target, for: key.use) {
                case .found(let node): found[node, default: []].append(index)
                case .fault(let cause, let device):
                    opening.faults[index] = InputFault(DriverFault(cause, device: device), isKey: true)
                }
            }
            for (node, indices) in found {
                do throws(InputPortError) {
                    let port = try KeyPort(node, indices.map { keys[$0] })
                    opening.add(port, indices, isKey: true) { DriverFault(errno: $0, device: "\(node)") }
                } catch {
                    for index in indices {
                        opening.faults[index] = InputFault(DriverFault(errno: error.errno, device: "\(node)"), isKey: true)
                    }
                }
            }
            return opening
        }
    }
#endif
