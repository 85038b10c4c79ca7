// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticPlanning
import HapticService
import HapticWire

/// A scenario, played by the engine in virtual time. No other code of the golden tests calls the engine.
struct Performance: ~Copyable {
    enum Entry {
        case decision(Scenario.Client, Decision, PlaySummary?)
        /// Any other event, with its result.
        case other(MonotonicInstant, String)
    }

    struct Planned {
        var actuator: String
        var actuation: Actuation
        /// The name of the pattern, with the number of the run if the pattern has several.
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
            // An engine that asks for the same instant again and again would never end.
            guard calls < 100_000 else {
                let message = "at \(now) the engine is not done after \(calls) calls"
                throw Scenario.Mistake(scenario.file, scenario.given.count, message)
            }
        }
        now = max(now, end)
    }

    private mutating func perform(_ step: Scenario.Step, of scenario: Scenario) throws(Scenario.Mistake) {
        switch step.what {
        case .calls(let calls): try perform(calls, of: step, in: scenario)
        case .refuse(let kind, let reason): pass(.refusal(kind, reason))
        case .disconnect(let client): pass(.connectionClosed(client.identity.connection), told: step)
        case .actuator(let name, let isAvailable, let found):
            guard let index = loop.engine.configuration.actuators.firstIndex(where: { $0.name == name }) else {
                throw Scenario.Mistake(scenario.file, step.line, "there is no actuator `\(name)`")
            }
            pass(.actuator(ActuatorIndex(index), isAvailable: isAvailable, found: found), told: step)
        case .reload(let name):
            guard let new = scenario.configurations[name] else {
                throw Scenario.Mistake(scenario.file, step.line, "there is no section `configuration \(name)`")
            }
            pass(.configuration(new), told: step)
        case .stored(let words): pass(.settings(settings(words, on: Settings())), told: step)
        case .configured(let words): pass(.configuration(configured(words)), told: step)
        case .clock(let time): pass(.localTime(time), told: step)
        case .slept(let time): pass(.slept(time), told: step)
        case .shutdown: pass(.shutdown, told: step)
        }
    }

    /// Passes `event`, with the text of its step in the story.
    private mutating func pass(_ event: EngineEvent, told step: Scenario.Step) {
        story.append(.other(now, step.text))
        pass(event)
    }

    private mutating func perform(
        _ calls: [Scenario.Step.Asked], of step: Scenario.Step, in scenario: Scenario
    ) throws(Scenario.Mistake) {
        var resolver = CallResolver(loop.engine.configuration)
        var items: [BatchItem] = []
        var askedForItems: [Scenario.Step.Asked] = []
        for asked in calls {
            if case .call(let call) = asked.what, let params = call as? TransactionParams {
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
    }

    /// The service resolves a transaction: the engine gets only its defaults in the items behind it.
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
            holdRules: old.holdRules, taskRules: old.taskRules, conditionRules: old.conditionRules, patterns: old.patterns,
            bounds: old.bounds)
    }

    /// Passes `event` to the engine, and notes all results and actions. Returns the number of results, which belong to `calls`.
    @discardableResult
    private mutating func pass(_ event: EngineEvent, _ calls: [Scenario.Step.Asked] = []) -> Int {
        // The first actions of a reload are about the actuators before it.
        var configuration = loop.engine.configuration
        loop.take(event, at: now)
        let count = loop.actions.results.count
        takeResults(of: calls)
        repeat {
            takeActions(configuration)
            configuration = loop.engine.configuration
        } while loop.proceed(at: now)
        return count
    }

    private mutating func takeResults(of calls: [Scenario.Step.Asked]) {
        for (index, result) in loop.actions.results.enumerated() {
            let asked = index < calls.count ? calls[index] : nil
            switch result {
            case .decided(let decision, let summary): story.append(.decision(asked?.client ?? .ada, decision, summary))
            case .cancelled(let count): story.append(.other(now, "\(asked?.text ?? ""): \(count) cancelled"))
            case .changed: story.append(.other(now, asked?.text ?? ""))
            case .notChanged(let error): story.append(.other(now, "\(asked?.text ?? ""): \(error)"))
            case .condition(let change): story.append(.other(now, "\(asked?.text ?? ""): \(Self.words(change))"))
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
            case .order(.actuate(let actuation)):
                let name = configuration.actuators[actuation.actuator.value].name
                planned.append(
                    Planned(actuator: name, actuation: actuation, run: actuation.run.map { Self.name(of: $0, in: configuration) })
                )
            case .order(.revoke(let playback, let actuator, let from, _)):
                let name = configuration.actuators[actuator.value].name
                planned.removeAll { $0.actuation.playback == playback && $0.actuator == name && $0.actuation.planned >= from }
            }
        }
    }

    private static func words(_ change: ConditionChange) -> String {
        switch change {
        case .taken(_, let isInForce): isInForce ? "in force" : "not in force"
        case .unknown: "unknown"
        case .tooMany: "too many"
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
