// SPDX-License-Identifier: MIT

// How settings are written: what has no order of its own gets one, so that the same settings are always the same bytes.

extension Settings {
    enum CodingKeys: CodingKey { case profile, strength, classes, apps, quietHours, off }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(profile, forKey: .profile)
        try container.encodeIfPresent(strength, forKey: .strength)
        try container.encode(Pairs(classes.sorted { $0.key.index < $1.key.index }), forKey: .classes)
        try container.encode(Pairs(apps.sorted { $0.key < $1.key }), forKey: .apps)
        try container.encodeIfPresent(quietHours, forKey: .quietHours)
        try container.encodeIfPresent(off, forKey: .off)
    }

    /// As a dictionary is written whose keys are no text: each key, and its value after it.
    private struct Pairs<Key: Encodable>: Encodable {
        let pairs: [(key: Key, value: Strength)]

        init(_ pairs: [(key: Key, value: Strength)]) { self.pairs = pairs }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for (key, value) in pairs {
                try container.encode(key)
                try container.encode(value)
            }
        }
    }
}

extension QuietHours {
    enum CodingKeys: CodingKey { case days, from, to, except }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(days.sorted { $0.index < $1.index }, forKey: .days)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
        try container.encode(except, forKey: .except)
    }
}

extension QuietHours.Exceptions {
    enum CodingKeys: CodingKey { case classes, apps, repeated }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(classes.sorted { $0.index < $1.index }, forKey: .classes)
        try container.encode(apps.sorted(), forKey: .apps)
        try container.encode(repeated, forKey: .repeated)
    }
}
