// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticText
import Testing

@testable import HapticInputs

@Suite("Keys and buttons in a configuration") struct InputSourceTests {
    private func read(_ json: String) throws -> (source: InputSource?, errors: [String]) {
        let report = DocumentReport(file: nil)
        let node = try #require(JSONDocument.parse(Array(json.utf8), report: report))
        let source = InputSource.form.read(NodeReader(node, report: report))
        return (source, report.diagnostics.map(\.message))
    }

    @Test("A button is a line, with its bias and its debouncing time")
    func line() throws {
        let all = try read(#"{"chip": "gpiochip0", "line": 23, "activeLow": true, "bias": "up", "debounce": "5ms"}"#)
        let address = GPIOAddress(chip: "gpiochip0", line: .offset(23), isActiveLow: true)
        #expect((all.source, all.errors) == (InputSource(.line(address, bias: .up), debounce: .milliseconds(5)), []))
        let least = try read(#"{"chip": "pinctrl", "line": "BUTTON"}"#)
        #expect(
            least.source
                == InputSource(
                    .line(GPIOAddress(chip: "pinctrl", line: .name("BUTTON")), bias: .asIs), debounce: .milliseconds(10)))
    }

    @Test("A key is of an input device, and has the kernel's name")
    func key() throws {
        let read = try read(#"{"match": {"name": "gpio-keys"}, "key": "KEY_POWER"}"#)
        let power = try #require(InputKey(name: "KEY_POWER"))
        #expect(read.source == InputSource(.key(DeviceMatch(name: "gpio-keys"), power), debounce: .zero))
        #expect(power.code == 116)
        #expect(
            "\(InputAddress.key(DeviceMatch(name: "gpio-keys"), power))"
                == #"KEY_POWER of the input device with name "gpio-keys""#)
    }

    @Test("A switch, and an axis at a position, are of an input device, too")
    func switches() throws {
        let lid = try read(#"{"match": {"name": "Lid Switch"}, "switch": "SW_LID"}"#)
        let key = try #require(InputKey(name: "SW_LID"))
        #expect(lid.source == InputSource(.key(DeviceMatch(name: "Lid Switch"), key), debounce: .zero))
        let slider = try read(#"{"match": {"name": "slider"}, "axis": "ABS_SND_PROFILE", "at": 2, "debounce": "20ms"}"#)
        let ring = try #require(InputKey(axis: "ABS_SND_PROFILE", at: 2))
        #expect(slider.source == InputSource(.key(DeviceMatch(name: "slider"), ring), debounce: .milliseconds(20)))
        // No libevdev of Debian 12 knows it.
        #expect(ring.code == 0x22)
        #expect("\(ring)" == "ABS_SND_PROFILE at 2")
    }

    @Test(
        "An input that is neither a line nor a key, both, or has no such key is refused",
        arguments: [
            ("{}", "a button on a line"), ("7", "a button on a line"), (#"{"chip": "a"}"#, "line"),
            (#"{"match": {"name": "a"}}"#, "key"), (#"{"match": {}, "key": "KEY_POWER"}"#, "nothing to find the device by"),
            (#"{"match": {"name": "a"}, "key": "KEY_POWER", "chip": "a"}"#, "unknown key `chip`"),
            (#"{"match": {"name": "a"}, "key": "POWER"}"#, "no key is called POWER"),
            (#"{"match": {"name": "a"}, "key": "KEY_NO_SUCH"}"#, "no key is called KEY_NO_SUCH"),
            (#"{"match": {"name": "a"}, "key": "SW_LID"}"#, "no key is called SW_LID"),
            (#"{"match": {"name": "a"}, "switch": "KEY_POWER"}"#, "no switch is called KEY_POWER"),
            (#"{"match": {"name": "a"}, "switch": "SW_LID", "key": "KEY_POWER"}"#, "unknown key `key`"),
            (#"{"match": {"name": "a"}, "axis": "ABS_SND_PROFILE"}"#, "at"), (#"{"match": {"name": "a"}, "at": 0}"#, "axis"),
            (#"{"match": {"name": "a"}, "axis": "ABS_NO_SUCH", "at": 0}"#, "no axis is called ABS_NO_SUCH"),
            (#"{"chip": "a", "line": 1, "debounce": "2s"}"#, "1s"), (#"{"chip": "a", "line": 1, "bias": "high"}"#, "as-is"),
        ])
    func refused(json: String, why: String) throws {
        let read = try read(json)
        #expect(read.errors.contains { $0.contains(why) }, "\(read.errors)")
    }
}
