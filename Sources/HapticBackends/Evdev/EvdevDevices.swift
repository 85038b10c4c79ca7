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

/// A force-feedback device of this machine.
public struct FFDevice: Hashable, Sendable {
    /// `/dev/input/event3`
    public var path: String
    public var name: String
    /// Where it is plugged in, as its driver says; empty where that says nothing.
    public var phys: String
    public var vendor: Int
    public var product: Int
    /// What it can do, or why that cannot be known.
    public var abilities: Result<FFAbilities, DriverFault>

    public init(
        path: String, name: String, phys: String = "", vendor: Int = 0, product: Int = 0,
        abilities: Result<FFAbilities, DriverFault>
    ) {
        self.path = path
        self.name = name
        self.phys = phys
        self.vendor = vendor
        self.product = product
        self.abilities = abilities
    }

    /// Why this user could not use it; nil where they could.
    public var fault: DriverFault? {
        if case .failure(let fault) = abilities { fault } else { nil }
    }
}

/// The force-feedback devices of this machine.
public enum EvdevInventory {
    /// All there are now, in the order of their nodes. Opens each for a moment, so it may block.
    public static func devices() -> [FFDevice] {
        InputNode.all().filter(\.hasForceFeedback).map { node in
            FFDevice(
                path: node.path, name: node.name, phys: node.phys, vendor: node.vendor, product: node.product,
                abilities: EvdevDevices.abilities(of: node))
        }
    }
}
