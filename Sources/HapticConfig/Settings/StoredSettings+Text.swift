// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticText

extension StoredSettings {
    /// Of the format.
    public static let version = 1
    /// Of the text.
    public static let mostBytes = 1 << 20

    /// What a text says.
    public enum Contents: Hashable, Sendable {
        case settings(StoredSettings)
        /// A later version of hapticd has written it.
        case newer(version: Int)
    }

    /// Reads the text of `file`. Throws all that is wrong with it.
    public static func read(_ bytes: [UInt8], file: String? = nil) throws(InvalidDocument) -> Contents {
        let report = DocumentReport(file: file)
        guard let document = JSONDocument.parse(bytes, report: report) else { throw InvalidDocument(report.diagnostics) }
        // Nothing else of it is known.
        if let version = document.version, version > Self.version { return .newer(version: version) }
        let stored = NodeReader(document, report: report).object { fields -> StoredSettings? in
            var settings = fields.read(Settings.keys, from: Settings())
            let draft = fields.read(Draft.keys, from: Draft())
            settings.profile = draft.profile
            return StoredSettings(settings, off: draft.off, written: draft.written)
        }
        guard let stored, report.isEmpty else { throw InvalidDocument(report.diagnostics) }
        return .settings(stored)
    }

    /// As JSON, for people, too. Nil where it would be longer than what is read.
    public var text: [UInt8]? {
        let text = Array(IndentedJSON.text(node).utf8)
        return text.count <= Self.mostBytes ? text : nil
    }

    // MARK: Reading

    /// What the configuration does not have.
    private struct Draft {
        var profile: Profile?
        var off: Off?
        var written: WallTime?

        static let keys: [Key<Self>] = [
            .required("version", .version(StoredSettings.version), "the version of the format") { _, _ in },
            .optional("written", .wallTime, "when it was written") { $0.written = $1 },
            .optional("profile", .choice(of: Profile.self, "profile"), "how much people want to feel") { $0.profile = $1 },
            .optional("off", offForm, "for how long nothing is felt") { $0.off = $1 },
        ]

        private static let endForm = Form<Off?>.object(
            [.required("until", .wallTime, "from then on feedback is on") { $0 = .until($1) }], into: nil)

        private static let offForm = Form<Off>(.either([.boolean, endForm.kind])) { field in
            switch field.node.content {
            case .bool(true): return .forGood
            case .object: return endForm.read(field) ?? nil
            case .null, .bool, .number, .integer, .string, .list, .invalid:
                field.failExpected("`true`, or an object such as `{ \"until\": \"2026-11-24T07:00:00Z\" }`")
                return nil
            }
        }
    }

    // MARK: Writing

    private var node: Node {
        var members: [(Text, Node)] = [("version", Node(.number(Double(Self.version))))]
        if let written { members.append(("written", Node("\(written)"))) }
        if let profile = settings.profile { members.append(("profile", Node(profile.rawValue))) }
        switch off {
        case nil: break
        case .forGood: members.append(("off", Node(.bool(true))))
        case .until(let end): members.append(("off", .object([(Text("until"), Node("\(end)"))])))
        }
        if let strength = settings.strength { members.append(("strength", Node(strength))) }
        if !settings.classes.isEmpty {
            let classes = FeedbackClass.allCases.compactMap { name in
                settings.classes[name].map { (Text(name.rawValue), Node($0)) }
            }
            members.append(("classes", .object(classes)))
        }
        if !settings.apps.isEmpty {
            members.append(("apps", .object(settings.apps.sorted { $0.key < $1.key }.map { ($0.key, Node($0.value)) })))
        }
        if let hours = settings.quietHours { members.append(("quietHours", Node(.list(hours.map(\.node))))) }
        return .object(members)
    }
}

extension Form where Value == WallTime {
    fileprivate static var wallTime: Self {
        Form(.textLike("2026-11-24T07:00:00Z", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")) { field in
            if case .string(let text) = field.node.content, let time = WallTime(text.string) { return time }
            field.failExpected("a time such as `2026-11-24T07:00:00Z`")
            return nil
        }
    }
}

extension QuietHours {
    fileprivate var node: Node {
        var members: [(Text, Node)] = []
        if days.count < Weekday.allCases.count {
            members.append(("days", Node(.list(Weekday.allCases.filter(days.contains).map { Node($0.rawValue) }))))
        }
        members += [("from", Node("\(from)")), ("to", Node("\(to)"))]
        if except != Exceptions() { members.append(("except", except.node)) }
        return .object(members)
    }
}

extension QuietHours.Exceptions {
    fileprivate var node: Node {
        var members: [(Text, Node)] = []
        if !classes.isEmpty {
            members.append(("classes", Node(.list(FeedbackClass.allCases.filter(classes.contains).map { Node($0.rawValue) }))))
        }
        if !apps.isEmpty { members.append(("apps", Node(.list(apps.sorted().map { Node(.string($0)) })))) }
        if repeated { members.append(("repeated", Node(.bool(true)))) }
        return .object(members)
    }
}

extension Node {
    /// The number of the version that the document says, where it says one.
    fileprivate var version: Int? {
        guard case .object(let members) = content,
            case .number(let number)? = members.first(where: { $0.key == "version" })?.value.content
        else { return nil }
        return Int(exactly: number)
    }

    fileprivate init(_ text: String) { self.init(.string(Text(text))) }
    fileprivate init(_ strength: Strength) { self.init(.number(strength.value)) }
    fileprivate static func object(_ members: [(Text, Node)]) -> Node {
        Node(.object(members.map { Member(key: $0, value: $1) }))
    }
}
