// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticPatterns
import HapticPlanning
import HapticReplay

/// A journal in memory.
final class Lines: JournalOutput {
    private(set) var bytes: [UInt8] = []
    var isBehind = false

    func write(_ bytes: [UInt8]) { self.bytes += bytes }

    var lines: [[UInt8]] { bytes.split(separator: UInt8(ascii: "\n")).map(Array.init) }
    var texts: [String] { lines.map { String(decoding: $0, as: UTF8.self) } }
}

/// A loop on virtual time that is recorded.
final class Recorded {
    let journal = Lines()
    let writer: JournalWriter
    private var loop: FeedbackLoop
    private(set) var now = MonotonicInstant(nanoseconds: 5_000_000_000)
    private(set) var results: [ItemResult] = []
    private(set) var actions: [EngineAction] = []

    init(_ configuration: EngineConfiguration, limit: Int = JournalWriter.standardLimit) {
        writer = JournalWriter(configuration, version: "1.2.3", at: now, to: journal, limit: limit)
        loop = FeedbackLoop(configuration)
        loop.recorder = writer
    }

    func take(_ event: EngineEvent) {
        loop.take(event, at: now)
        repeat {
            results += loop.actions.results
            actions += loop.actions.actions
        } while loop.proceed(at: now)
    }

    /// Comes when the loop says so, until `time` has passed.
    func run(for time: Nanoseconds) {
        let end = now + time
        while loop.nextDeadline <= end {
            now = max(now, loop.nextDeadline)
            take(.time)
        }
        now = end
    }
}

/// What comes of the journal's events.
struct Replayed {
    var results: [ItemResult] = []
    var actions: [EngineAction] = []
    var end: JournalEnd?

    init(_ lines: [[UInt8]]) throws {
        var replay = try Replay(lines[0])
        for line in lines.dropFirst() {
            let came = try replay.take(line)
            results += came.results
            actions += came.actions
        }
        end = replay.end
    }
}

extension EngineConfiguration {
    /// A motor and a light that stands in for it, the patterns `tap` and `glide`, and rules with globs.
    static func recorded(profile: Profile = .full) throws -> EngineConfiguration {
        let tap = try Pattern(
            name: "tap", tracks: [.events([HapticEvent(at: .zero, kind: .transient, intensity: .one, sharpness: .one)])])
        let glide = try Pattern(
            name: "glide",
            tracks: [
                .keyframes([
                    Keyframe(at: .zero, intensity: .zero, sharpness: .zero),
                    Keyframe(at: .milliseconds(70), intensity: Intensity(clamping: 1 / 3), sharpness: Sharpness(clamping: 0.1)),
                    Keyframe(at: .milliseconds(300), intensity: .zero, sharpness: .one),
                ])
            ])
        let feedback = RuleFeedback(pattern: "tap", feedbackClass: .interaction, intensity: Intensity(clamping: 0.7))
        let standard = ClassTable.standard
        var classes = standard
        classes.notification.reduced = .pattern("tap")
        classes.interaction.reduced = .half
        return try EngineConfiguration(
            settings: Settings(profile: profile), classes: classes,
            actuators: [
                EngineActuator(
                    name: "main", limits: MotorLimits(minGap: .milliseconds(4), maxOn: .seconds(1), duty: Share(clamping: 0.5)),
                    motor: MotorModel(
                        kind: .erm, rise: .milliseconds(89), fall: .milliseconds(35), start: Share(clamping: 0.4),
                        minPulse: .milliseconds(30)),
                    fallback: ActuatorIndex(1)),
                EngineActuator(name: "light", capabilities: ActuatorCapabilities(variesIntensity: true, variesSharpness: false)),
            ],
            progressRules: [
                ProgressRule(match: Glob("up?*"), gate: GateConfiguration(step: 0.01), feedback: feedback, complete: "glide")
            ],
            eventRules: [
                EventRule(
                    match: Glob("door.*"), when: ChangeCondition(from: .glob(Glob("c*")), to: .exactly(.number(1e300))),
                    feedback: feedback),
                EventRule(match: Glob("*"), feedback: RuleFeedback(pattern: "glide", feedbackClass: .notification)),
            ],
            patterns: ["tap": PlayablePattern(tap), "glide": PlayablePattern(glide)])
    }
}
