// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

extension PlayParams {
    /// The play in as many parts as it needs lines, in their order. Only tracks and parameter curves are divided; everything else is in the
    /// last part, which may still be too long for a line.
    public func parts() -> [PlayParams] {
        guard case .inline(let tree) = pattern, case .object(let members) = tree.content,
            WireWriter.size(self) > WireLimit.clientLine - WireLimit.envelope
        else { return [self] }
        var (pieces, rest) = (PatternPieces(), [Node.Member]())
        for member in members {
            switch (member.key, member.value.content) {
            case ("tracks", .list(let tracks)): for track in tracks { pieces.add(track: track) }
            case ("parameterCurves", .list(let curves)): for curve in curves { pieces.add(curve: curve) }
            default: rest.append(member)
            }
        }
        var parts = pieces.finished().map { piece in
            var part = PlayParams(pattern: .inline(piece))
            part.more = true
            return part
        }
        // Without tracks and curves nothing is divided.
        guard !parts.isEmpty else { return [self] }
        parts.append(self)
        parts[parts.count - 1].pattern = .inline(Node(.object(rest)))
        parts[parts.count - 1].more = false
        return parts
    }
}

extension PlayParams {
    /// The end of a pattern that has begun, without feedback: the next pattern may begin after it.
    public static var noMore: PlayParams {
        var last = PlayParams(pattern: .inline(Node(.object([]))))
        (last.more, last.feedback) = (false, .off)
        return last
    }
}

/// Pattern objects with the tracks and curves of one, each for a line.
private struct PatternPieces {
    /// A track, or the piece of it at hand.
    private struct Track {
        let key: Text
        var others: [Node.Member]
        var entries: [Node] = []

        var node: Node { Node(.object(others + [Node.Member(key: key, value: Node(.list(entries)))])) }
    }

    /// Bytes for the members of a piece and for those of a track, beside their entries.
    private static let frame = 128
    private static let room = WireLimit.clientLine - WireLimit.envelope - frame

    private var pieces: [Node] = []
    private var tracks: [Node] = []
    private var curves: [Node] = []
    private var used = 0

    /// With a comma behind it.
    private static func size(_ node: Node) -> Int { WireWriter.line(node).count }

    mutating func add(curve: Node) {
        let size = Self.size(curve)
        if used + size > Self.room { finish() }
        curves.append(curve)
        used += size
    }

    mutating func add(track node: Node) {
        guard case .object(let members) = node.content,
            let list = members.firstIndex(where: { $0.key == "keyframes" || $0.key == "events" }),
            case .list(let entries) = members[list].value.content, let first = entries.first
        else { return add(undivided: node) }
        var track = Track(key: members[list].key, others: members)
        track.others.remove(at: list)
        let start = Self.size(track.node)
        if used + start + Self.size(first) > Self.room { finish() }
        used += start
        for entry in entries {
            let size = Self.size(entry)
            if used + size > Self.room, !track.entries.isEmpty {
                tracks.append(track.node)
                finish()
                (track.entries, track.others) = ([], [Node.Member(key: "continued", value: Node(.bool(true)))])
                used += Self.size(track.node)
            }
            track.entries.append(entry)
            used += size
        }
        tracks.append(track.node)
    }

    private mutating func add(undivided track: Node) {
        let size = Self.size(track)
        if used + size > Self.room { finish() }
        tracks.append(track)
        used += size
    }

    private mutating func finish() {
        var members: [Node.Member] = []
        if !tracks.isEmpty { members.append(Node.Member(key: "tracks", value: Node(.list(tracks)))) }
        if !curves.isEmpty { members.append(Node.Member(key: "parameterCurves", value: Node(.list(curves)))) }
        if !members.isEmpty { pieces.append(Node(.object(members))) }
        (tracks, curves, used) = ([], [], 0)
    }

    mutating func finished() -> [Node] {
        finish()
        return pieces
    }
}
