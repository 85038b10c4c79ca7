// SPDX-License-Identifier: MIT
import Foundation
import HapticConfig
import HapticCore
import HapticEngine
import Testing

/// docs/configuration.md says what is felt of each class under each profile: it is what the engine does.
@Suite("The table of classes and profiles")
struct ProfileTableTests {
    /// A motor, with a light that stands in for it or without.
    private static func engine(_ profile: Profile, light: Bool) throws -> EngineConfiguration {
        let motor = "{ name: motor, backend: simulated\(light ? ", fallback: light" : "") }"
        let lights = light ? ", { name: light, backend: led, led: x }" : ""
        let text = "version: 1\nprofile: \(profile.rawValue)\nactuators: [\(motor)\(lights)]"
        return try configuration(text).engineConfiguration()
    }

    private static func decision(
        on pattern: String, _ feedbackClass: FeedbackClass, _ profile: Profile, light: Bool = false
    ) throws -> Decision {
        let engine = try engine(profile, light: light)
        var loop = FeedbackLoop(engine)
        let play = PlayInput(pattern: try #require(engine.patterns[Text(pattern)]), feedbackClass: feedbackClass)
        let input = Input(client: ClientIdentity(connection: 1, user: 1), at: .zero, kind: .play(play))
        loop.take(.batch([.input(input)]), at: .zero)
        guard case .decided(let decision, _)? = loop.actions.results.first else { throw NothingDecided() }
        return decision
    }

    private struct NothingDecided: Error {}

    /// In the words of the page.
    private static func words(
        _ pattern: String, _ feedbackClass: FeedbackClass, _ profile: Profile, light: Bool = false
    ) throws -> String {
        let full = try decision(on: pattern, feedbackClass, .full, light: light)
        let decision = try decision(on: pattern, feedbackClass, profile, light: light)
        guard decision.outcome == .played, let intensity = decision.intensity, let whole = full.intensity else {
            return "nothing"
        }
        let place = decision.actuators == full.actuators ? "" : " on the \(decision.actuators.joined(separator: ", "))"
        guard decision.pattern == full.pattern else { return "`\(decision.pattern ?? "")`\(place)" }
        if intensity == whole { return "as it is\(place)" }
        return abs(intensity.value - whole.value / 2) < 1e-12 ? "half as strong\(place)" : "\(intensity.value)\(place)"
    }

    /// Of success, warning and error under `reduced`.
    private static func meanings(_ feedbackClass: FeedbackClass, light: Bool) throws -> String {
        let words = try Meaning.allCases.map { try self.words($0.rawValue, feedbackClass, .reduced, light: light) }
        if Set(words).count == 1 { return words[0] }
        let suffix = " on the light"
        guard words.allSatisfy({ $0.hasSuffix(suffix) }) else { return words.joined(separator: ", ") }
        return words.map { String($0.dropLast(suffix.count)) }.joined(separator: ", ") + suffix
    }

    @Test("The engine does what each cell of the table says", arguments: FeedbackClass.allCases)
    func row(feedbackClass: FeedbackClass) throws {
        let plain = try [.full, .quiet, .reduced, .silent].map { try Self.words("confirm", feedbackClass, $0) }
        let meant = try [true, false].map { try Self.meanings(feedbackClass, light: $0) }
        let cells = ["`\(feedbackClass.rawValue)`"] + plain + meant
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../docs/configuration.md").standardized
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let row = "| \(cells.joined(separator: " | ")) |"
        #expect(lines.contains { $0 == row }, "\(row)")
    }

    @Test("The light that stands in for a motor plays what a profile silences", arguments: [Profile.quiet, .reduced, .silent])
    func standIn(profile: Profile) throws {
        #expect(try Self.words("confirm", .texture, profile, light: true) == "as it is on the light")
    }
}
