// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticConfig
import HapticCore
import HapticEngine
import HapticFormats
import HapticPatterns
import HapticWire
import HapticYAML

/// What a shell offers for an argument when Tab is pressed.
///
/// One that asks the daemon is not to be noticed where there is none, or where it does not answer: it complains of nothing, and
/// is back soon.
extension CompletionKind {
    /// The words of a closed list.
    static func words<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> CompletionKind {
        .list(Choice.allCases.map(\.rawValue))
    }

    static let yamlFile = file(extensions: ["yaml", "yml"])
    /// A configuration or a pattern file.
    static let document = file(extensions: PatternFormat.allCases.flatMap(\.fileExtensions))

    /// The names of patterns.
    static let patternName = custom { words, _, _ in Completions.offers(Completions(words).patterns()) }
    /// What an input's `feedback` may be.
    static let feedback = custom { words, _, _ in ["normal", "off"] + Completions.offers(Completions(words).patterns()) }
    /// The names of patterns, and pattern files.
    static let pattern = custom { words, _, prefix in
        Completions.offers(Completions(words).patterns()) + Completions.harmless(Completions.patternFiles(prefix))
    }
    /// The names of actuators.
    static let actuator = custom { words, _, _ in Completions.harmless(Completions(words).actuators()) }
    /// The ids of sources that were felt, or were to be, lately: those that this user may see.
    static let source = custom { words, _, _ in Completions.harmless(Completions(words).recent { $0.decision.source }) }
    /// The names of sets, the ids of holds and those of tasks, of the same.
    static let set = custom { words, _, _ in Completions.harmless(Completions(words).recent { $0.decision(of: .present)?.name }) }
    static let hold = custom { words, _, _ in Completions.harmless(Completions(words).recent { $0.decision(of: .hold)?.source }) }
    static let task = custom { words, _, _ in Completions.harmless(Completions(words).recent { $0.decision(of: .task)?.source }) }
    /// The names of conditions.
    static let condition = custom { words, _, _ in Completions.harmless(Completions(words).conditions()) }
    /// The apps of the same.
    static let app = custom { words, _, _ in Completions.harmless(Completions(words).recent { $0.decision.app }) }
    /// What plays now.
    static let playback = custom { words, _, _ in
        Completions(words).recent { $0.ending == nil ? $0.decision.playback.map { "\($0)" } : nil }
    }
    /// Topics with commas between.
    static let topics = custom { _, _, prefix in Completions.topics(prefix) }
}

extension HistoryEntry {
    /// Its decision where it is about such an input.
    fileprivate func decision(of kind: Decision.InputKind) -> DecisionResult? {
        decision.input == kind ? decision : nil
    }
}

/// What is known of the names that a command line may use.
struct Completions {
    /// How long the daemon has for its answer, in seconds. A person who presses Tab waits for it.
    private static let patience = 0.3

    private let line: CommandWords

    /// `words`: the command line, as the shell has it.
    init(_ words: [String]) { line = CommandWords(words) }

    /// Those of `names` that no shell takes for more than a word. Names are made by whoever writes a pattern file or serves a
    /// socket, and bash's `compgen -W` runs what stands in them as `$(…)`.
    static func harmless(_ names: [String]) -> [String] {
        names.filter { name in
            !name.hasPrefix("-")
                && name.unicodeScalars.allSatisfy {
                    $0.properties.isAlphabetic || $0.properties.numericType != nil || "._:/+@%=-".unicodeScalars.contains($0)
                }
        }
    }

    /// Those that the command would know: of the daemon, or with `--simulate` of the configuration; the built-in ones if all else fails.
    func patterns() -> [PatternOffer] {
        if !isSimulated, let known = (try? connect())?.patterns(within: Self.patience) {
            return known.map { PatternOffer(name: $0.name, meaning: $0.description) }
        }
        return configuration.patterns.sorted { $0.key < $1.key }.map {
            PatternOffer(name: $0.key.string, meaning: $0.value.summary)
        }
    }

    struct PatternOffer: Hashable {
        var name: String
        var meaning: String
    }

    /// Of a meaning at most so many characters are shown.
    static let longestMeaning = 100

    /// The names alone, or for fish, which shows what stands behind a tab, with what they mean.
    static func offers(_ patterns: [PatternOffer], in shell: CompletionShell? = CompletionShell.requesting) -> [String] {
        patterns.flatMap { pattern in
            let names = harmless([pattern.name])
            guard shell == .fish else { return names }
            let shown = pattern.meaning.unicodeScalars.map { $0.isPrintable && !$0.properties.isWhitespace ? $0 : " " }
            var meaning = String.UnicodeScalarView()
            meaning.append(contentsOf: shown.prefix(longestMeaning))
            return names.map { meaning.isEmpty ? $0 : "\($0)\t\(String(meaning))" }
        }
    }

    /// As with the patterns, but none where there is no daemon.
    func actuators() -> [String] {
        if isSimulated { return configuration.actuators.map(\.name) }
        return ask(ActuatorsParams())?.actuators.map(\.name) ?? []
    }

    /// Those of the daemon's configuration file, if this user may read it; else those in force.
    func conditions() -> [String] {
        guard let status = ask(StatusParams()) else { return [] }
        let configuration = status.configuration.file.flatMap { try? Configuration.load(path: $0) }
        return configuration?.conditionRules.map(\.name) ?? status.settings.conditions
    }

    /// What `part` finds in the newest decisions, each once, the newest first; nothing where there is no daemon.
    func recent(_ part: (HistoryEntry) -> String?) -> [String] {
        let params = HistoryParams(last: HistoryParams.mostEntries)
        let entries = isSimulated ? [] : ask(params)?.entries ?? []
        var seen: Set<Text> = []
        return entries.compactMap(part).filter { seen.insert(Text($0)).inserted }
    }

    private var isSimulated: Bool { line.words.contains("--simulate") }

    private var configuration: Configuration {
        guard isSimulated, let path = line.value(of: "--config") else { return .builtIn }
        return (try? Configuration.load(path: path)) ?? .builtIn
    }

    private func ask<Call: WireCall>(_ call: Call) -> Call.Result? {
        try? connect().call(call, timeout: Self.patience)
    }

    private func connect() throws(ClientError) -> HapticClient {
        var common = CommonOptions()
        common.socket = line.value(of: "--socket")
        return try common.connect(isPatient: false)
    }

    /// The pattern files in the folder that `prefix` names so far; its folders too, once it names one.
    static func patternFiles(_ prefix: String, files: FileAccess = .disk) -> [String] {
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let names = (try? files.directory(folder.isEmpty ? "." : folder).names) ?? []
        let isHiddenWanted = prefix.dropFirst(folder.count).hasPrefix(".")
        return names.sorted().compactMap { name in
            let path = folder + name
            guard path.hasPrefix(prefix), isHiddenWanted || !name.hasPrefix(".") else { return nil }
            if !folder.isEmpty, (try? files.directory(path)) != nil { return path + "/" }
            return PatternFile.isFile(name) ? path : nil
        }
    }

    /// `decisions,pl` may become `decisions,playbacks`.
    static func topics(_ prefix: String) -> [String] {
        let given = prefix.split(separator: ",", omittingEmptySubsequences: false).dropLast()
        let before = given.map { $0 + "," }.joined()
        return Topic.allCases.map(\.rawValue).filter { !given.contains($0[...]) }.map { before + $0 }
    }
}
