// SPDX-License-Identifier: MIT

/// A light under `/sys/class/leds`.
public struct LEDDescription: Hashable, Sendable {
    public var name: String
    public var path: String
    /// 1 where it is only on or off.
    public var maximum: Int
    /// Of a light with several channels; empty where it has one.
    public var colours: [String]
    /// What makes it shine by itself; nil where nothing does.
    public var trigger: String?
    public var isLit: Bool
    /// Why this user could not use it; nil where they could.
    public var fault: DriverFault?

    public init(
        name: String, path: String, maximum: Int = 1, colours: [String] = [], trigger: String? = nil, isLit: Bool = false,
        fault: DriverFault? = nil
    ) {
        self.name = name
        self.path = path
        self.maximum = maximum
        self.colours = colours
        self.trigger = trigger
        self.isLit = isLit
        self.fault = fault
    }

    /// Whether nobody seems to use it: it is dark, and nothing makes it shine.
    public var looksFree: Bool { trigger == nil && !isLit }
}

extension LEDDescription {
    /// All lights, by name.
    static func all(in root: SysfsRoot) -> [LEDDescription] {
        Sysfs.names(in: root.ledFolder).sorted().compactMap { name in
            let path = "\(root.ledFolder)/\(name)"
            guard let maximum = try? Sysfs.number("\(path)/max_brightness") else { return nil }
            let trigger = (try? Sysfs.text("\(path)/trigger")).flatMap(LEDTrigger.current)
            let isTriggered = trigger != nil && trigger != LEDTrigger.none
            // Those that a driver would write, and that are there.
            let files =
                ["brightness"] + (isTriggered ? ["trigger"] : [])
                + (Sysfs.exists("\(path)/multi_intensity") ? ["multi_intensity"] : [])
            return LEDDescription(
                name: name, path: path, maximum: maximum,
                colours: (try? Sysfs.text("\(path)/multi_index")).map(LEDColour.words) ?? [],
                trigger: isTriggered ? trigger : nil, isLit: ((try? Sysfs.number("\(path)/brightness")) ?? 0) > 0,
                fault: Sysfs.fault(ofWriting: files.map { "\(path)/\($0)" }))
        }
    }
}
