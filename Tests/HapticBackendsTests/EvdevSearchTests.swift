// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticBackends

@Suite("The search for an input device") struct EvdevSearchTests {
    private static func node(
        _ number: Int, _ name: String, phys: String = "", vendor: Int = 0x045e, product: Int = 0x028e, ff: Bool = true,
        isAccessible: Bool = true
    ) -> InputNode {
        InputNode(
            number: number, path: "/dev/input/event\(number)", name: name, phys: phys,
            ids: InputIDs(vendor: vendor, product: product), hasForceFeedback: ff, isAccessible: isAccessible, isVirtual: false)
    }

    private static let left = node(3, "Wireless Controller", phys: "usb-1/input0", vendor: 0x054c)
    private static let right = node(7, "Game Pad", phys: "usb-2/input0")
    private static let sensors = node(4, "Wireless Controller Motion Sensors", phys: "usb-1/input0", vendor: 0x054c, ff: false)
    private static let nodes = [left, sensors, right]

    @Test(
        "A device is found by name, place, path, link or ids, and only where it has force feedback",
        arguments: [
            (DeviceMatch(name: "*Controller*"), left), (DeviceMatch(phys: "usb-2/*"), right),
            (DeviceMatch(path: "/dev/input/event7"), right), (DeviceMatch(vendor: 0x054c), left),
            (DeviceMatch(name: "*", vendor: 0x054c, product: 0x028e), left), (DeviceMatch(path: "/dev/input/by-id/pad"), right),
        ] as [(DeviceMatch, InputNode)])
    func found(match: DeviceMatch, expected: InputNode) {
        #expect(EvdevSearch.pick(match, among: Self.nodes, target: "/dev/input/event7") == .found(expected))
    }

    @Test(
        "The reason why a device cannot be had names the device",
        arguments: [
            (DeviceMatch(name: "Joystick"), nodes, "the input device with name \"Joystick\" is not there; connect it"),
            (
                DeviceMatch(name: "*"), nodes,
                """
                the input device with name "*" fits 2 devices: "Wireless Controller" (/dev/input/event3, phys usb-1/input0), \
                "Game Pad" (/dev/input/event7, phys usb-2/input0); say more
                """
            ),
            (
                DeviceMatch(name: "*Sensors"), nodes,
                """
                "Wireless Controller Motion Sensors" (/dev/input/event4, phys usb-1/input0) cannot be used: \
                it has no force feedback; run
                """
            ),
            (
                DeviceMatch(vendor: 0x45e, product: 1), [node(5, "Locked", product: 1, isAccessible: false)],
                "\"Locked\" (/dev/input/event5) cannot be opened: permission denied; let the group hapticd"
            ),
            (
                DeviceMatch(vendor: 0x45e, product: 1), [],
                "the input device with vendor 0x045e, product 0x0001 is not there; connect it"
            ),
        ] as [(DeviceMatch, [InputNode], String)])
    func fault(match: DeviceMatch, nodes: [InputNode], text: String) {
        guard case .fault(let cause, let device) = EvdevSearch.pick(match, among: nodes, target: nil) else {
            Issue.record("a device was found")
            return
        }
        #expect(DriverFault(cause, device: device).description.hasPrefix(text))
    }

    @Test("A device that may not be opened does not stand in the way of one that may")
    func skipsTheLocked() {
        let nodes = [Self.node(1, "Pad", isAccessible: false), Self.node(2, "Pad")]
        #expect(EvdevSearch.pick(DeviceMatch(name: "Pad"), among: nodes, target: nil) == .found(nodes[1]))
    }

    private static func keyboard(_ number: Int, _ keys: String, isReadable: Bool = true) -> InputNode {
        var node = node(number, "Keys", ff: false, isAccessible: false)
        (node.bitmaps.keys, node.isReadable) = (keys, isReadable)
        return node
    }

    @Test("The bitmap of a device's keys is read as the kernel writes it")
    func keys() {
        // 116 is bit 52 of the second word from the end.
        #expect(Self.keyboard(1, "10000000000000 0").bitmaps.has(116, .key))
        #expect(Self.keyboard(1, "2 10000000000000 8").bitmaps.has(129, .key))
        #expect(Self.keyboard(1, "2 0 8").bitmaps.has(3, .key))
        for code in [-1, 115, 117, 52, 768, 100_000] { #expect(!Self.keyboard(1, "10000000000000 0").bitmaps.has(code, .key)) }
        #expect(!Self.keyboard(1, "").bitmaps.has(0, .key))
        #expect(!Self.keyboard(1, "no bitmap").bitmaps.has(0, .key))
    }

    @Test("A switch and an axis are looked up in bitmaps of their own")
    func capabilities() {
        var slider = Self.keyboard(1, "1")
        (slider.bitmaps.switches, slider.bitmaps.axes) = ("4000", "400000000")
        #expect(slider.bitmaps.has(14, .sw))
        #expect(slider.bitmaps.has(34, .abs))
        #expect(!slider.bitmaps.has(14, .key))
        #expect(!slider.bitmaps.has(0, .sw))
        let use = InputUse.input(.abs, code: 34, name: "ABS_SND_PROFILE")
        let nodes = [Self.keyboard(2, "400000000"), slider]
        #expect(EvdevSearch.pick(DeviceMatch(name: "Keys"), among: nodes, target: nil, for: use) == .found(slider))
    }

    @Test("A key is looked up in the devices that have it, and reading them suffices")
    func key() {
        let nodes = [
            Self.keyboard(1, "0"), Self.keyboard(2, "10000000000000 0"), Self.keyboard(3, "10000000000000 0", isReadable: false),
        ]
        let use = InputUse.input(.key, code: 116, name: "KEY_POWER")
        #expect(EvdevSearch.pick(DeviceMatch(name: "Keys"), among: nodes, target: nil, for: use) == .found(nodes[1]))
        #expect(
            EvdevSearch.pick(DeviceMatch(name: "Keys"), among: [nodes[2]], target: nil, for: use)
                == .fault(.permission, device: nodes[2].description))
        guard
            case .fault(.unusable("it has no KEY_POWER", _), _) = EvdevSearch.pick(
                DeviceMatch(name: "Keys"), among: [nodes[0]], target: nil, for: use)
        else {
            Issue.record("a device without the key was taken")
            return
        }
    }
}
