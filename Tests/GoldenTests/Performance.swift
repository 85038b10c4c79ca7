// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticService
import HapticWire

/// A scenario, played by the engine on virtual time. The one place that knows how the engine is called.
struct Performance: ~Copyable {
    enum Entry {
        case decision(Scenario.Client, Decision, PlaySummary?)
        /// Anything else that happened, and what came of it.
        case other(MonotonicInstant, String)
    }

    struct Planned {
        var actuator: String
        var actuation: Actuation
        /// The pattern's name, and which of its runs it is where it has several.
        var run: String?
    }

    private(set) var story: [Entry] = []
    private(set) var ends: [PlaybackID: [PlaybackEnd]] = [:]
    /// All actuations that were planned and not revoked.
    private(set) var planned: [Planned] = []
    private var loop: FeedbackLoop
    private var now = MonotonicInstant.zero
    private var calls = 0

    init(_ scenario: Scenario, recorder: (any EngineRecorder)? = nil) throws(Scenario.Mistake) {
        // trap: a scenario has one that is in force at the beginning.
        let configuration = scenario.configurations[""]!
        loop = FeedbackLoop(configuration)
        loop.recorder = recorder
        for step in scenario.steps {
            try run(until: step.at, of: scenario)
            try perform(step, of: scenario)
        }
        while loop.engine.playbackCount > 0 { try run(until: max(now, loop.nextDeadline), of: scenario) }
    }

    private mutating func run(until end: MonotonicInstant, of scenario: Scenario) throws(Scenario.Mistake) {
        while loop.nextDeadline <= end {
            now = max(now, loop.nextDeadline)
            pass(.time)
            calls += 1
            // An engine that asks for the same instant again and again would never come to an end.
            guard calls < 100_000 else {
                let message = "at \(now) the engine is not done after \(calls) calls"
                throw Scenario.Mistake(scenario.file, scenario.given.count, message)
            }
        }
        now = max(now, end)
    }

    private mutating func perform(_ step: Scenario.Step, of scenario: Scenario) throws(Scenario.Mistake) {
        switch step.what {
        case .calls(let calls):
            var resolver = CallResolver(loop.engine.configuration)
            var items: [BatchItem] = []
            var askedForItems: [Scenario.Step.Asked] = []
            for asked in calls {
                if case .call(.transaction(let params)) = asked.what {
                    try begin(params, asked, by: &resolver, of: scenario)
                    continue
                }
                askedForItems.append(asked)
                guard case .call(let call) = asked.what else {
                    if case .set(let words) = asked.what { items.append(.change(words.change(at: now))) }
                    continue
                }
                do throws(WireError) {
                    guard let item = try resolver.item(call, of: asked.client.identity, readAt: now) else {
                        throw WireError(.invalidParams, "the engine decides nothing about `\(asked.text)`")
                    }
                    items.append(item)
                } catch {
                    throw Scenario.Mistake(scenario.file, asked.line, error.message)
                }
            }
            let count = pass(.batch(items), askedForItems)
            guard count == askedForItems.count else {
                throw Scenario.Mistake(scenario.file, step.line, "\(askedForItems.count) calls had \(count) results")
            }
        case .refuse(let kind, let reason): pass(.refusal(kind, reason))
        case .disconnect(let client):
            story.append(.other(now, step.text))
            pass(.connectionClosed(client.identity.connection))
        case .actuator(let name, let isAvailable, let found):
            guard let index = loop.engine.configuration.actuators.firstIndex(where: { $0.name == name }) else {
                throw Scenario.Mistake(scenario.file, step.line, "there is no actuator `\(name)`")
            }
            story.append(.other(now, step.text))
            pass(.actuator(ActuatorIndex(index), isAvailable: isAvailable, found: found))
        case .reload(let name):
            guard let new = scenario.configurations[name] else {
                throw Scenario.Mistake(scenario.file, step.line, "there is no section `configuration \(name)`")
            }
            story.append(.other(now, step.text))
            pass(.configuration(new))
        case .stored(let words):
            story.append(.other(now, step.text))
            pass(.settings(settings(words, on: Settings())))
        case .configured(let words):
            story.append(.other(now, step.text))
            pass(.configuration(configured(words)))
        case .clock(let time):
            story.append(.other(now, step.text))
            pass(.localTime(time))
        case .slept(let time):
            story.append(.other(now, step.text))
            pass(.slept(time))
        case .shutdown:
            story.append(.other(now, step.text))
            pass(.shutdown)
        }
    }

    /// The service decides what a transaction comes to; the engine sees only what it makes of the items behind it.
    private mutating func begin(
        _ params: TransactionParams, _ asked: Scenario.Step.Asked, by resolver: inout CallResolver, of scenario: Scenario
    ) throws(Scenario.Mistake) {
        do throws(WireError) {
            _ = try resolver.begin(params)
        } catch {
            throw Scenario.Mistake(scenario.file, asked.line, error.message)
        }
        story.append(.other(now, asked.text))
    }

    private func settings(_ words: SettingWords, on settings: Settings) -> Settings {
        var settings = settings
        try! settings.take(words.change(at: now))
        return settings
    }

    private func configured(_ words: SettingWords) -> EngineConfiguration {
        let old = loop.engine.configuration
        return try! EngineConfiguration(
            settings: settings(words, on: old.settings), classes: old.classes, meanings: old.meanings, actuators: old.actuators,
            progressRules: old.progressRules, eventRules: old.eventRules, collectionRules: old.collectionRules,
            holdRules: old.holdRules, taskRules: old.taskRules, patterns: old.patterns, bounds: old.bounds)
    }

    /// Has `event` happen, with all that comes of it; the number of its results, which are those of `calls`.
    @discardableResult
    private mutating func pass(_ event: EngineEvent, _ calls: [Scenario.Step.Asked] = []) -> Int {
        // Of a reload the first actions are about the actuators before it.
        var configuration = loop.engine.configuration
        loop.take(event, at: now)
        let count = loop.actions.results.count
        takeResults(of: calls)
        repeat {
            takeActions(configuration)
            configuration = loop.engine.configuration
        } while loop.goOn(at: now)
        return count
    }

    private mutating func takeResults(of calls: [Scenario.Step.Asked]) {
        for (index, result) in loop.actions.results.enumerated() {
            let asked = index < calls.count ? calls[index] : nil
            switch result {
            case .decided(let decision, let summary): story.append(.decision(asked?.client ?? .ada, decision, summary))
            case .cancelled(let count): story.append(.other(now, "\(asked?.text ?? ""): \(count) cancelled"))
            case .changed(let settings):
                let isProfile = if case .call = asked?.what { true } else { false }
                story.append(.other(now, (asked?.text ?? "") + (isProfile ? ": \(settings.profile) in force" : "")))
            case .notChanged(let error): story.append(.other(now, "\(asked?.text ?? ""): \(error)"))
            }
        }
    }

    /// `configuration`: the one that the actions are about.
    private mutating func takeActions(_ configuration: EngineConfiguration) {
        for action in loop.actions.actions {
            switch action {
            case .ended(let end): ends[end.playback, default: []].append(end)
            case .interruption(let what): story.append(.other(what.at, "#\(what.playback.value) \(what.state)"))
            case .held(let change):
                story.append(.other(change.at, "\(change.id) \(change.state.rawValue): \(change.value.value)"))
            case .actuate(let actuation):
                let name = configuration.actuators[actuation.actuator.value].name
                planned.append(
                    Planned(actuator: name, actuation: actuation, run: actuation.run.map { Self.name(of: $0, in: configuration) })
                )
            case .revoke(let playback, let actuator, let from, _):
                let name = configuration.actuators[actuator.value].name
                planned.removeAll { $0.actuation.playback == playback && $0.actuator == name && $0.actuation.planned >= from }
            }
        }
    }

    private static func name(of run: RunIndex, in configuration: EngineConfiguration) -> String {
        var first = 0
        for name in configuration.patternNames {
            let count = configuration.patterns[Text(name)]?.timeline.runStarts.count ?? 0
            if run.value < first + count { return count == 1 ? name : "\(name) \(run.value - first + 1)" }
            first += count
        }
        return "no run"
    }
}
