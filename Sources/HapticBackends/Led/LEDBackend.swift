// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticText

/// A light under `/sys/class/leds`.
public struct LEDBackend: Backend {
    public static let name = "led"
    public static let hasMotor = false
    public static let longestOn: Nanoseconds? = .seconds(60)
    public static let shortestInterval = Nanoseconds.milliseconds(2)

    public var led: String
    /// Of a light with several channels; nil: white.
    public var colour: LEDColour?

    public init(_ led: String, colour: LEDColour? = nil) {
        self.led = led
        self.colour = colour
    }

    public static let members = Draft.keys.map(\.member)

    public init?(_ fields: inout FieldReader) {
        let draft = fields.read(Draft.keys, from: Draft())
        guard let led = draft.led else { return nil }
        self.init(led.string, colour: draft.colour)
    }

    private struct Draft {
        var led: Text?
        var colour: LEDColour?

        static let keys: [Key<Self>] = [
            .required("led", ledForm, "the name under `/sys/class/leds`") { $0.led = $1 },
            .optional("colour", colourForm, default: "white", "the colour, in quotes, of a light with several channels") {
                $0.colour = $1
            },
        ]

        private static let ledForm: Form<Text> = .name().then { name, field -> Text? in
            guard !name.string.utf8.contains(UInt8(ascii: "/")), name != ".", name != ".." else {
                field.fail("\(quoted(name.string)) is no name of a light; `ls /sys/class/leds` lists them")
                return nil
            }
            return name
        }.described(as: .textLike("red:status", pattern: #"^(?!\.{1,2}$)[^/\u0000-\u001f\u007f]{1,128}$"#))
        private static let colourForm = Form<LEDColour>(.textLike("#ff8000", pattern: "^#[0-9a-fA-F]{6}$")) { field in
            if case .string(let text) = field.node.content, text.utf8.count == 7, text.string.begins(with: "#"),
                let first = text.utf8.dropFirst().first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
                let colour = UInt32(Substring(text.utf8.dropFirst()), radix: 16)
            {
                return LEDColour(rgb: colour)
            }
            field.failExpected("a colour in quotes: red, green and blue as in \"#ff8000\"")
            return nil
        }
    }

    private var output: LEDLight { LEDLight(led, colour: colour) }

    public var device: String? { output.name }
    public var capabilities: ActuatorCapabilities {
        var capabilities = LevelDriver.capabilities
        capabilities.isLight = true
        return capabilities
    }
    public var leftover: (any Leftover)? { output }

    public func sighting() -> DeviceSighting { output.sighting() }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        LevelDriver(output, maxOn: parts.limits.maxOn, outputGuard: parts.outputGuard)
    }
}
