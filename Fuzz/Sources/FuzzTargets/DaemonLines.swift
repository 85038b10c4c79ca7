// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticTerminal
internal import HapticWire

/// What hapticctl makes of a daemon's lines: `monitor`, `status`, and what it says of answers and errors.
public enum DaemonLines: FuzzTarget {
    public static let name = "daemon"

    public static func run(_ bytes: [UInt8]) {
        var framer = LineFramer(limit: WireLimit.daemonLine)
        framer.append(bytes)
        var watch = Watch(shown: Set(Topic.allCases))
        while let output = framer.next() ?? framer.finish(), output != .tooLong {
            guard case .line(let line) = output, let said = try? ServerLine(line) else { continue }
            show(said, to: &watch)
        }
        for glyphs in [TimelinePicture.Glyphs.blocks, .ascii] {
            for line in TimelinePicture(width: 80, glyphs: glyphs).lines(watch.felt) { checkShown(line) }
        }
        watch.connectionLost(at: 2)
    }

    private static func show(_ said: ServerLine, to watch: inout Watch) {
        switch said {
        case .notice(let notice):
            let shown = watch.take(notice, now: 1)
            checkShown("\(watch.clock(shown.atNs))  \(shown.text) \(shown.sender ?? "")")
        case .refusal: break
        case .answer(_, let answer): show(answer)
        case .batch(let answers): for answer in answers { show(answer, to: &watch) }
        }
    }

    private static func show(_ answer: ServerLine.Answer) {
        func result<Result: WireResult>(_ type: Result.Type) -> Result? { try? answer.result(as: type) }
        if let status = result(StatusResult.self) {
            for width in [40, 200] {
                for line in StatusText(status, socket: "/run/hapticd/hapticd.sock", width: width).lines {
                    for span in line { checkShown(span.text) }
                }
            }
            for line in PrometheusText(status).text.split(separator: "\n") { checkShown(String(line)) }
        } else if let history = result(HistoryResult.self) {
            for entry in history.entries {
                var text = WhyText(entry, now: 1, sender: Sender { _ in nil })
                for line in text.lines() { for span in line { checkShown(span.text) } }
            }
        } else if let play = result(PlayResult.self) {
            checkShown(Words.summary(play.summary))
            if let ending = play.ending { checkShown(Words.ending(ending)) }
            show(play.decision)
        } else if let decision = result(DecisionResult.self) {
            show(decision)
        } else {
            _ = result(ActuatorsResult.self)
            if let patterns = result(PatternsResult.self)?.patterns { draw(patterns) }
        }
    }

    private static func draw(_ patterns: [PatternResult]) {
        let pictures = patterns.map { $0.outline.map { OutlinePicture(outline: $0, glyphs: .blocks).small() } ?? "" }
        for width in [nil, 40, 80] {
            for line in PatternTable(width: width, patterns: patterns, pictures: pictures).lines { checkShown(line) }
        }
        for pattern in patterns {
            guard let outline = pattern.outline else { continue }
            for line in OutlinePicture(outline: outline, glyphs: .ascii).lines(width: 80) { checkShown(line) }
            let svg = OutlineSVG(name: pattern.name, description: pattern.description, outline: outline).lines
            for line in svg { checkShown(line) }
            require(svg.reduce(0) { $0 + $1.utf8.count } < 20_000, "an SVG is small")
        }
    }

    private static func show(_ decision: DecisionResult) {
        checkShown("\(Words.input(decision)): \(Words.felt(decision)) \(Words.notFelt(decision))")
    }
}
