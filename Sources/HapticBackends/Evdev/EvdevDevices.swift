// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticCore

/// Finds and opens force-feedback devices.
enum EvdevDevices {
    private static let missing = DriverFault.Cause.unusable(
        why: "this build has no libevdev",
        remedy: "install libevdev-dev and build with the trait Evdev, or use another backend for this actuator")

    /// Opens the one device that `match` means. May block.
    static func open(_ match: DeviceMatch) throws(DriverFault) -> any FFPort {
        #if Evdev
            var nodes = InputNode.all()
            var refusal: DriverFault?
            while true {
                let target = match.path.flatMap(resolved)
                switch EvdevSearch.pick(match, among: nodes, target: target) {
                case .fault(.absent, let device): throw refusal ?? DriverFault(.absent, device: device)
                case .fault(let cause, let device): throw DriverFault(cause, device: device)
                case .found(let node):
                    do throws(FFPortError) {
                        return try EvdevPort(node)
                    } catch {
                        // It went away, or the kernel refuses in spite of the node's mode: another one may fit.
                        refusal = DriverFault(errno: error.errno, device: node.description)
                        nodes.removeAll { $0 == node }
                    }
                }
            }
        #else
            throw DriverFault(missing, device: match.description)
        #endif
    }

    /// What `node` can do, or why that cannot be known. May block.
    static func abilities(of node: InputNode) -> Result<FFAbilities, DriverFault> {
        #if Evdev
            do throws(FFPortError) {
                let port = try EvdevPort(node)
                defer { port.close() }
                return .success(port.abilities)
            } catch {
                return .failure(DriverFault(errno: error.errno, device: node.description))
            }
        #else
            return .failure(DriverFault(missing, device: node.description))
        #endif
    }
}
