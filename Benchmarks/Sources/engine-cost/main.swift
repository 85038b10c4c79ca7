// SPDX-License-Identifier: MIT
// What an event costs the engine, in a process that does nothing else. Runs COUNT events and prints two numbers: the nanoseconds and
// the allocations of one.
//
//   engine-cost progress COUNT        progress of one source, below its step
//   engine-cost sources N COUNT       the same of N sources in turn
//   engine-cost actuators N COUNT     a play on one of N actuators in turn, every 10 ms, planning and end included
//   engine-cost present N COUNT       a set of N things, 1,000 a line, of which one is another one each time
//   engine-cost ramp COUNT            a ramp of 0.5 s, planned whole, on a motor that is not known
//   engine-cost fitted-ramp COUNT     the same, fitted to a slow ERM
//   engine-cost train COUNT           75 steps in the charge's 1.6 s, likewise
//   engine-cost fitted-train COUNT
//   engine-cost follow COUNT          a value of one of 8 levers in turn, each on a motor of its own, 1,000 a second in all
//   engine-cost waiting N ACTUATORS   the longest time that one line takes after N rings that resume, in milliseconds, and the memory
//                                     that they keep, in megabytes
//
// `engine-cost without-settings …` does the same without the links of the policy that go by what people set and who may.
import CAllocations
import Glibc
import HapticCore
import HapticEngine
import HapticMotors
import HapticPatterns
import HapticPlanning

func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

let client = ClientIdentity(connection: 1, user: 0)
let leavesOutSettings = CommandLine.arguments.dropFirst().first == "without-settings"
let links = PolicyLink.chain.filter { !(leavesOutSettings && [.access, .off, .quietHours, .strength].contains($0)) }

/// A step pattern: on, and off after `milliseconds`.
func pulse(_ name: String, milliseconds: Int64) throws -> PlayablePattern {
    let frames = [
        Keyframe(at: .zero, intensity: .one, sharpness: .one),
        Keyframe(at: .milliseconds(milliseconds), intensity: .zero, sharpness: .one, curve: .step),
    ]
    return PlayablePattern(try Pattern(name: name, tracks: [.keyframes(frames)]))
}

func configuration(actuators: Int, motor: MotorModel? = nil) throws -> EngineConfiguration {
    let names = ["soft", "light", "tick"]
    let patterns = try names.map { (Text($0), try pulse($0, milliseconds: 8)) }
    var bounds = EngineBounds.standard
    bounds.sourcesPerUser = bounds.sources
    return try EngineConfiguration(
        actuators: (0..<actuators).map { EngineActuator(name: "motor-\($0)", motor: motor) },
        progressRules: [
            ProgressRule(
                match: Glob("*"), gate: GateConfiguration(step: 0.01),
                feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture))
        ],
        patterns: Dictionary(uniqueKeysWithValues: patterns), bounds: bounds)
}

/// Calls `body` with the number of the event: a tenth of `count` times to warm up, then `count` times that are measured.
func measure(_ count: Int, _ body: (Int) -> Void) {
    for event in 0..<max(count / 10, 1) { body(event) }
    let allocations = callocations_count()
    let start = nanoseconds()
    for event in 0..<count { body(event) }
    let end = nanoseconds()
    let made = callocations_count() - allocations
    print(Double(end - start) / Double(count), Double(made) / Double(count))
}

extension FeedbackLoop {
    /// Carries nothing out.
    mutating func run(_ event: EngineEvent, at now: MonotonicInstant) {
        take(event, at: now)
        while proceed(at: now) {}
    }
}

/// Progress below its step, of `sources` in turn. The caller needs the same memory for any number of them.
func measureProgress(sources: Int, count: Int) throws {
    let configuration = try configuration(actuators: 1)
    var loop = FeedbackLoop(configuration, links: links)
    var now = MonotonicInstant.zero
    // Short enough to lie in the string itself.
    let ids = (0..<sources).map { "upload-\($0)" }
    var input = Input(client: client, at: now, kind: .progress(ProgressInput(value: Progress(clamping: 0.505))))
    // The first of each source is felt; all that come now are below its step.
    var items = [BatchItem.input(input)]
    for id in ids {
        input.id = id
        items[0] = .input(input)
        loop.run(.batch(items), at: now)
    }
    now = now + .seconds(1)
    loop.run(.time, at: now)
    var next = 0
    let count = max(count, sources)
    measure(count) { _ in
        if sources > 1 {
            input.id = ids[next]
            next += 1
            if next == sources { next = 0 }
            items[0] = .input(input)
        }
        loop.run(.batch(items), at: now)
    }
    let decided = Int(loop.engine.count(of: .suppressed, reason: .belowStep))
    precondition(decided >= count, "only \(decided) were below their step")
}

func measurePlays(actuators: Int, count: Int) throws {
    let configuration = try configuration(actuators: actuators)
    var loop = FeedbackLoop(configuration, links: links)
    var now = MonotonicInstant.zero
    let events = (0..<actuators).map { actuator in
        let play = PlayInput(
            pattern: configuration.patterns["soft"]!, feedbackClass: .alarm, actuators: [ActuatorIndex(actuator)])
        return EngineEvent.batch([.input(Input(client: client, at: .distantFuture, kind: .play(play)))])
    }
    var next = 0
    measure(count) { _ in
        loop.run(events[next], at: now)
        next += 1
        if next == actuators { next = 0 }
        let end = now + .milliseconds(10)
        while loop.nextDeadline <= end {
            now = max(now, loop.nextDeadline)
            loop.run(.time, at: now)
        }
        now = end
    }
    let played = Int(loop.engine.count(of: .played, reason: nil))
    precondition(played >= count, "only \(played) were played")
}

/// A set that is said again and again; of what is new nothing is felt, so that only the set is measured.
func measureSets(things: Int, count: Int) throws {
    let plain = try configuration(actuators: 1)
    let rule = CollectionRule(
        match: Glob("*"), patterns: ThingPatterns(), feedback: RuleFeedback(pattern: "soft", feedbackClass: .interaction))
    var loop = FeedbackLoop(
        try EngineConfiguration(
            actuators: plain.actuators, collectionRules: [rule], patterns: plain.patterns, bounds: plain.bounds), links: links)
    let size = 1000
    func lines(last: String) -> [EngineEvent] {
        let ids = (0..<things - 1).map { Text("thing \($0) of many") } + [Text(last)]
        return stride(from: 0, to: things, by: size).map { start -> EngineEvent in
            let part = PresentInput(
                name: "shelf", ids: Array(ids[start..<min(start + size, things)]), continues: start + size < things)
            return .batch([.input(Input(client: client, at: .zero, kind: .present(part)))])
        }
    }
    let sets = [lines(last: "one"), lines(last: "another")]
    measure(count) { event in
        let lines = sets[event % 2]
        for index in lines.indices { loop.run(lines[index], at: .zero) }
    }
    let settled = Int(loop.engine.count(of: .suppressed, reason: .noRule))
    precondition(settled >= count, "only \(settled) sets were taken")
}

/// A level each 5 ms.
func ramp() throws -> PlayInput {
    let frames = [
        Keyframe(at: .zero, intensity: .zero, sharpness: .one),
        Keyframe(at: .milliseconds(500), intensity: .one, sharpness: .one),
    ]
    let pattern = PlayablePattern(try Pattern(name: "ramp", tracks: [.keyframes(frames)]))
    return PlayInput(pattern: pattern, feedbackClass: .alarm)
}

/// A pulse of 8 ms for each step of the charge.
func train() throws -> PlayInput {
    PlayInput(pattern: try pulse("soft", milliseconds: 8), train: StepTrain(steps: 75), feedbackClass: .alarm)
}

/// `play` from its decision to its end, over and over, on a motor that runs down before the next.
func measurePlanning(_ play: PlayInput, fitted: Bool, count: Int) throws {
    let motor = fitted ? MotorLibrary.motor(named: "coin")?.model : nil
    var loop = FeedbackLoop(try configuration(actuators: 1, motor: motor), links: links)
    let event = EngineEvent.batch([.input(Input(client: client, at: .distantFuture, kind: .play(play)))])
    var now = MonotonicInstant.zero
    measure(count) { _ in
        loop.run(event, at: now)
        let end = now + .seconds(2)
        while loop.nextDeadline <= end {
            now = max(now, loop.nextDeadline)
            loop.run(.time, at: now)
        }
        now = end
    }
    let played = Int(loop.engine.count(of: .played, reason: nil))
    precondition(played >= count, "only \(played) were played")
}

/// A value of 8 levers in turn, a millisecond after the one before, and all that is planned meanwhile.
func measureFollowing(count: Int) throws {
    let levers = 8
    var configuration = try configuration(actuators: levers)
    let rules = (0..<levers).map { lever in
        ProgressRule(
            match: Glob("lever-\(lever)"), gate: GateConfiguration(step: 0.01),
            follow: FollowShape(detents: FollowShape.even(9), endStop: "light"),
            feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture, actuators: [ActuatorIndex(lever)]))
    }
    configuration = try EngineConfiguration(
        actuators: configuration.actuators, progressRules: rules, patterns: configuration.patterns)
    var loop = FeedbackLoop(configuration, links: links)
    var now = MonotonicInstant.zero
    let ids = (0..<levers).map { "lever-\($0)" }
    measure(count) { number in
        // Up and down in 2 s.
        let place = Double(number % 2000) / 1000
        let progress = ProgressInput(value: Progress(clamping: place < 1 ? place : 2 - place))
        loop.run(.batch([.input(Input(client: client, id: ids[number % levers], at: now, kind: .progress(progress)))]), at: now)
        let end = now + .milliseconds(1)
        while loop.nextDeadline <= end {
            now = max(now, loop.nextDeadline)
            loop.run(.time, at: now)
        }
        now = end
    }
    let played = Int(loop.engine.count(of: .played, reason: nil) + loop.engine.count(of: .merged, reason: .minInterval))
    precondition(played >= count - 1, "only \(played) were felt")
}

let otherClient = ClientIdentity(connection: 2, user: 1000)

/// Rings with open phases, each with an id of its own: on all actuators, or on one of them in turn.
func rings(actuators: Int) throws -> EngineConfiguration {
    let plain = try configuration(actuators: actuators)
    let hum = try Pattern(
        name: "hum",
        tracks: [
            .keyframes([
                Keyframe(at: .zero, intensity: .one, sharpness: .one),
                Keyframe(at: .milliseconds(100), intensity: .zero, sharpness: .one, curve: .step),
            ])
        ])
    let phases = (0..<16).map { _ in Pattern.Phase(hum, until: .released, upTo: .seconds(600)) }
    let ring = PlayablePattern(try Pattern(name: "ring", phases: phases))
    func rule(_ name: String, _ actuators: [ActuatorIndex]?) -> EventRule {
        let feedback = RuleFeedback(pattern: "ring", feedbackClass: .notification, actuators: actuators)
        return EventRule(match: Glob(name), feedback: feedback, resumes: true)
    }
    var classes = ClassTable.standard
    classes.notification.limitPerSecond = nil
    return try EngineConfiguration(
        classes: classes, actuators: plain.actuators,
        eventRules: [rule("all", nil)] + (0..<actuators).map { rule("one-\($0)", [ActuatorIndex($0)]) },
        patterns: plain.patterns.merging([(Text("ring"), ring)]) { $1 }, bounds: plain.bounds)
}

/// The processor time of this process, in nanoseconds: one line is too short for the time of other programs to even out.
func processorTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The memory of this process that is in use, in megabytes.
func residentMemory() -> Double {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return 0 }
    let fields = String(decoding: line.map(UInt8.init(bitPattern:)).prefix { $0 != 0 }, as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Double(fields[1]) ?? 0) * Double(getpagesize()) / 1_048_576 : 0
}

/// The cost of one line of each kind that involves waiting playbacks.
func measureWaiting(playbacks: Int, actuators: Int) throws {
    let configuration = try rings(actuators: actuators)
    let most = WorkBudget.mostItems
    for isWide in [true, false] {
        var loop = FeedbackLoop(configuration, links: links)
        var now = MonotonicInstant.zero
        func ring(_ number: Int) -> BatchItem {
            let name = isWide ? "all" : "one-\(number % actuators)"
            return .input(Input(client: client, id: "call-\(number)", at: now, kind: .event(EventInput(name: name))))
        }
        func cancel(_ target: CancelTarget, _ mode: CancelMode = .immediate) -> BatchItem {
            .cancel(CancelRequest(client: client, target: target, mode: mode))
        }
        func release(_ number: Int) -> BatchItem {
            .input(Input(client: client, id: "call-\(number)", at: now, kind: .release))
        }
        let before = residentMemory()
        for number in 0..<playbacks {
            loop.run(.batch([ring(number)]), at: now)
            now = now + .milliseconds(100)
        }
        print(isWide ? "On all:" : "On one each:", loop.engine.playbackCount, "play or wait, in", residentMemory() - before, "MB")
        let alarm = PlayInput(pattern: configuration.patterns["soft"]!, feedbackClass: .alarm)
        let last = playbacks - 1
        for (name, items) in [
            ("\(most) cancels of what is not there", (0..<most).map { cancel(.source(id: "no-\($0)")) }),
            ("\(most) releases", (0..<most).map { release(last - $0 % 8) }),
            ("\(most) advances of all", (0..<most).map { _ in cancel(.all, .advance) }),
            ("an event", [ring(playbacks)]), ("\(most) events", (1...most).map { ring(playbacks + $0) }),
            ("an alarm", [.input(Input(client: otherClient, at: now, kind: .play(alarm)))]),
            ("\(most) cancels", (0..<most).map { cancel(.source(id: "call-\(last + most - $0)")) }),
            ("a cancel of all", [cancel(.all)]),
        ] {
            let start = processorTime()
            loop.run(.batch(items), at: now)
            print("    \(name):", Double(processorTime() - start) / 1e6, "ms")
        }
    }
}

let arguments = CommandLine.arguments.dropFirst(leavesOutSettings ? 2 : 1)
let numbers = arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
switch (arguments.first, numbers.count) {
case ("progress", 1): try measureProgress(sources: 1, count: numbers[0])
case ("sources", 2): try measureProgress(sources: numbers[0], count: numbers[1])
case ("actuators", 2): try measurePlays(actuators: numbers[0], count: numbers[1])
case ("present", 2): try measureSets(things: numbers[0], count: numbers[1])
case ("ramp", 1): try measurePlanning(ramp(), fitted: false, count: numbers[0])
case ("fitted-ramp", 1): try measurePlanning(ramp(), fitted: true, count: numbers[0])
case ("train", 1): try measurePlanning(train(), fitted: false, count: numbers[0])
case ("follow", 1): try measureFollowing(count: numbers[0])
case ("waiting", 2): try measureWaiting(playbacks: numbers[0], actuators: numbers[1])
case ("fitted-train", 1): try measurePlanning(train(), fitted: true, count: numbers[0])
default:
    print(
        "usage: engine-cost [without-settings] progress COUNT | sources N COUNT | actuators N COUNT | present N COUNT | [fitted-]ramp COUNT | [fitted-]train COUNT | follow COUNT | waiting N ACTUATORS"
    )
    exit(2)
}
