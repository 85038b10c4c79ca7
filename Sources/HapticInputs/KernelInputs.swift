// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticBackends

/// The input devices and lines of this machine.
struct KernelInputs: InputSystem {
    func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    func open(_ addresses: [InputAddress]) -> InputOpening {
        switch addresses.first {
        case nil: InputOpening()
        case .line(let address, let bias)?: openLine(address, bias, addresses.count)
        case .key(let match, _)?:
            openKeys(match, addresses.compactMap { if case .key(_, let key) = $0 { key } else { nil } })
        }
    }

    private func openLine(_ address: GPIOAddress, _ bias: LineBias, _ count: Int) -> InputOpening {
        var opening = InputOpening()
        #if GPIO
            do throws(DriverFault) {
                let port = try LinePort(address, bias: bias, inputCount: count)
                opening.add(port, Array(0..<count), isKey: false) { DriverFault(errno: $0, device: "\(address)") }
            } catch {
                for index in 0..<count { opening.faults[index] = InputFault(error, isKey: false) }
            }
        #else
            for index in 0..<count { opening.faults[index] = InputFault(address.withoutLibrary, isKey: false) }
        #endif
        return opening
    }

    private func openKeys(_ match: DeviceMatch, _ keys: [InputKey]) -> InputOpening {
        #if Evdev
            return KeyDevices.open(match, keys)
        #else
            let fault = DriverFault(
                .unusable(why: "this hapticd was built without libevdev", remedy: "build it with the package trait Evdev"),
                device: "\(match)")
            return InputOpening(
                faults: Dictionary(uniqueKeysWithValues: keys.indices.map { ($0, InputFault(fault, isKey: true)) }))
        #endif
    }
}

extension InputOpening {
    /// With its levels; one whose levels cannot be read is closed again.
    mutating func add(_ port: any InputPort, _ indices: [Int], isKey: Bool, fault: (Int32) -> DriverFault) {
        do throws(InputPortError) {
            ports.append(OpenedPort(port: port, inputs: indices, levels: try port.levels()))
        } catch {
            port.close()
            for index in indices { faults[index] = InputFault(fault(error.errno), isKey: isKey) }
        }
    }
}
