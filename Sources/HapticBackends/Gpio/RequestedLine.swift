// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticCore

#if GPIO
    private import CGPIOD

    /// An output line of the kernel, requested through libgpiod, with a copy at the guard.
    final class RequestedLine: OutputLine {
        private static let consumer = "hapticd"
        private static let hidesDescriptor = CGPIOD_VERSION == 1

        let chipPath: String?
        private let name: String
        private var output: cgpiod_output
        private let outputGuard: (any OutputGuard)?
        private let guarded: GuardedSet?

        /// Blocks. Any thread.
        static func request(
            _ address: GPIOAddress, outputGuard: (any OutputGuard)?
        ) throws(DriverFault) -> any OutputLine {
            let device = "\(address)"
            try outputGuard?.takeOver(device: device)
            let (chip, offset) = try address.find()
            var handle: OpaquePointer?
            let opening = cgpiod_open_chip(chip.path, &handle)
            guard opening == 0, let handle else { throw DriverFault(errno: opening, device: chip.path) }
            var output = cgpiod_output()
            let request = { cgpiod_request_output(handle, UInt32(offset), address.isActiveLow, consumer, &output) }
            // Only the guard needs the descriptor, and libgpiod 2 says which it is.
            let looks = outputGuard != nil && hidesDescriptor
            let (error, descriptor) = looks ? LineHandles.opening { request() } : (LineHandles.changing(request), nil)
            guard error == 0 else { throw address.refusal(error, chip: chip.path, offset: offset) }
            if output.descriptor < 0 { output.descriptor = descriptor ?? -1 }
            return try RequestedLine(device, chip.path, output, outputGuard)
        }

        /// How often a line is asked for that a daemon's guard, which has just let go, still seems to hold; and how long between.
        private static let (attempts, pause) = (20, useconds_t(25_000))

        /// Requests the line, which makes it inactive, and gives it back. A line that is not there, or that another program
        /// holds, is left alone.
        static func switchOffLeftover(_ address: GPIOAddress) throws(DriverFault) {
            for attempt in 1...attempts {
                do throws(DriverFault) {
                    return try request(address, outputGuard: nil).release()
                } catch {
                    switch error.cause {
                    case .absent: return
                    case .busy(let other) where other != holder(consumer): return
                    case .busy where attempt < attempts: usleep(pause)
                    default: throw error
                    }
                }
            }
        }

        fileprivate static func holder(_ consumer: String) -> String {
            guard consumer == Self.consumer else { return "`\(consumer)`" }
            return
                "`\(consumer)`, another one or the guard of one that was killed (`hapticd --switch-off` with the --socket and --config of that one ends it)"
        }

        private init(
            _ name: String, _ chipPath: String, _ output: cgpiod_output, _ outputGuard: (any OutputGuard)?
        ) throws(DriverFault) {
            self.chipPath = chipPath
            self.name = name
            self.output = output
            self.outputGuard = outputGuard
            guard let outputGuard else {
                guarded = nil
                return
            }
            do throws(DriverFault) {
                guard output.descriptor >= 0 else {
                    throw DriverFault(
                        .unusable(why: "its descriptor was not found in /proc/self/fd", remedy: "mount /proc for hapticd"),
                        device: name)
                }
                // The guard is given a copy, which another thread must not take for its own line.
                guarded = try LineHandles.changing { () throws(DriverFault) in
                    try outputGuard.hold([GuardedOutput(descriptor: output.descriptor, off: .lineInactive)], device: name)
                }
            } catch {
                var output = output
                LineHandles.changing { cgpiod_release(&output) }
                throw error
            }
        }

        func set(_ isActive: Bool) throws(DriverFault) {
            let error = cgpiod_set(&output, isActive)
            guard error == 0 else { throw DriverFault(errno: error, device: name, isOpen: true) }
        }

        func release() {
            LineHandles.changing {
                if let guarded { outputGuard?.release(guarded) }
                // The guard has closed its copy, so this is the last one: the line is free.
                cgpiod_release(&output)
            }
        }
    }

    extension OffCall {
        /// Sets a requested line inactive, in the version of the kernel's interface that libgpiod uses.
        fileprivate static let lineInactive = {
            let call = cgpiod_off()
            let argument = withUnsafeBytes(of: call.argument) { Array($0.prefix(Int(call.size))) }
            return OffCall(.ioctl(request: call.request, argument: argument), mayBlock: false)
        }()
    }

    extension GPIOAddress {
        /// The chip that is meant, and the offset of the line. Blocks; any thread.
        package func find() throws(DriverFault) -> (chip: GPIOChip, offset: Int) {
            let chip = try GPIOSearch.chip(chip, among: GPIOChip.all(for: chip), device: "\(self)")
            return (chip, try GPIOSearch.offset(line, in: chip, device: "\(self)"))
        }

        /// Why the kernel has refused the line with this errno. Blocks; any thread.
        package func refusal(_ errno: Int32, chip: String, offset: Int) -> DriverFault {
            guard errno == EBUSY else { return DriverFault(errno: errno, device: "\(self)") }
            // As it is now: whoever holds the line may have come since the chip was looked at.
            let line = GPIOChip.describe(path: chip).lines.first { $0.offset == offset }
            return DriverFault(.busy(holder: line?.consumer.map(RequestedLine.holder)), device: "\(self)")
        }
    }

    extension GPIOChip {
        /// All chips of this machine, and `device` where it is the path of one elsewhere, in the order of their numbers. Blocks.
        static func all(for device: String) -> [GPIOChip] {
            var chips = all()
            if device.hasPrefix("/"), !chips.contains(where: { $0.path == device }) {
                let chip = describe(path: device)
                // A link to one that is in the list is taken for what it is called here.
                if chip.fault == nil || access(device, F_OK) == 0 { chips.append(chip) }
            }
            return chips
        }

        /// All chips of this machine, in the order of their numbers. Blocks.
        public static func all() -> [GPIOChip] {
            let numbers = entries(of: "/dev").compactMap { name in
                name.hasPrefix("gpiochip") ? Int(name.dropFirst("gpiochip".count)) : nil
            }
            return numbers.sorted().map { describe(path: "/dev/gpiochip\($0)") }
        }

        fileprivate static func describe(path: String) -> GPIOChip {
            var chip = GPIOChip(path: path, name: String(path.split(separator: "/").last ?? ""))
            var handle: OpaquePointer?
            let error = cgpiod_open_chip(path, &handle)
            guard error == 0, let handle else {
                chip.fault = DriverFault(errno: error, device: path)
                return chip
            }
            defer { gpiod_chip_close(handle) }
            var description = cgpiod_chip()
            let describing = cgpiod_describe_chip(handle, &description)
            guard describing == 0 else {
                chip.fault = DriverFault(errno: describing, device: path)
                return chip
            }
            chip.name = text(description.name) ?? chip.name
            chip.label = text(description.label) ?? ""
            chip.lines = (0..<description.line_count).map { offset in
                var line = cgpiod_line()
                // A line that cannot be described is one of the chip's all the same.
                _ = cgpiod_describe_line(handle, offset, &line)
                return Line(
                    offset: Int(offset), name: text(line.name), consumer: text(line.consumer), isUsed: line.is_used,
                    isOutput: line.is_output)
            }
            return chip
        }

        /// Nil where it is empty.
        private static func text<Tuple>(_ characters: Tuple) -> String? {
            let text = withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            return text.isEmpty ? nil : text
        }
    }
#else
    /// A build without libgpiod.
    enum RequestedLine {
        static func request(
            _ address: GPIOAddress, outputGuard: (any OutputGuard)?
        ) throws(DriverFault) -> any OutputLine {
            throw address.withoutLibrary
        }

        /// A build that drives no line has left none on.
        static func switchOffLeftover(_ address: GPIOAddress) throws(DriverFault) {}
    }

    extension GPIOAddress {
        package var withoutLibrary: DriverFault {
            DriverFault(
                .unusable(why: "this hapticd was built without libgpiod", remedy: "build it with the package trait GPIO"),
                device: "\(self)")
        }
    }

    extension GPIOChip {
        /// Without libgpiod none is seen.
        public static func all() -> [GPIOChip] { [] }
    }
#endif
