// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticBackends
private import HapticConfig
internal import HapticCore
private import HapticGuard
private import HapticThreads

/// Switches off what a daemon that was killed may have left on: the net below the guard, for where both are killed at once.
enum SwitchOff {
    /// For all outputs together, each of which has a thread of its own, once nobody else has them: a guard may take a second before.
    private static let longest = Nanoseconds.seconds(2)

    /// Says what it did. Throws a line for each output that could not be switched off. A daemon that lives keeps its outputs.
    static func run(_ source: ConfigurationSource, socket: String?) throws(StartError) -> String {
        // A next daemon's guard may ask it to go, in the middle of its work.
        signal(SIGTERM, SIG_IGN)
        var configuration: Configuration?
        var mistakes = 0
        do throws(StartError) {
            // Who may do what is nothing to it: a group that has gone since must leave nothing on, and a directory that hangs neither.
            configuration = try source.load(accounts: .notLookedUp).configuration
        } catch {
            mistakes = error.count
        }
        let configured = BoardConfiguration.leftovers(configuration?.actuators ?? [])
        var places = [DaemonPlace(socket: socket)]
        // Run by hand, by the service's user for one, the environment may lead elsewhere than to the service.
        if socket == nil, places[0] != .system { places.append(.system) }
        let noConfiguration =
            configuration == nil
            ? "the configuration, which names the outputs, cannot be used; `hapticd --check` says what is wrong with it (\(mistakes) \(mistakes == 1 ? "error" : "errors"))"
            : nil
        let (problems, tried) = problems(ofSwitchingOff: places, configured: configured, noConfiguration: noConfiguration)
        guard problems.isEmpty else { throw StartError(problems) }
        let names = tried.map { "\($0.name) (\($0.output.name))" }
        return names.isEmpty ? "there is no output to switch off" : "switched off: \(names.joined(separator: ", "))"
    }

    /// Switches off what the daemons of `places` left on, and removes their records once all of it is off. Returns a sentence for
    /// each thing that was not done, and all outputs that were to be switched off. A place that somebody else has is left alone,
    /// and then so are the configured outputs, which may belong to that one.
    static func problems(
        ofSwitchingOff places: [DaemonPlace], configured: [DrivenOutput], noConfiguration: String?
    ) -> (problems: [String], tried: [DrivenOutput]) {
        let obstacles = places.map { obstacle(at: $0) }
        let problems = obstacles.compactMap(\.self)
        let free = zip(places, obstacles).filter { $0.1 == nil }.map(\.0)
        guard !free.isEmpty else { return (problems, []) }
        let recorded = free.map(\.outputs).filter(\.exists)
        let reason =
            problems.isEmpty ? noConfiguration : "the outputs of the configuration may belong to the hapticd that is left alone"
        let (outputs, unknown) = leftovers(
            at: free, configured: reason == nil ? configured : [], noConfiguration: reason)
        let failures = unknown + failures(of: outputs, by: SystemClock.now + longest).map(\.description)
        if failures.isEmpty { for outputs in recorded { outputs.remove() } }
        return (problems + failures, outputs)
    }

    /// What the daemons of `places` may have left on, and why that may not be all. `configured` counts where a record cannot be
    /// used, and where there is none at all.
    static func leftovers(
        at places: [DaemonPlace], configured: [DrivenOutput], noConfiguration: String?
    ) -> (outputs: [DrivenOutput], problems: [String]) {
        var (outputs, problems): ([DrivenOutput], [String]) = ([], [])
        var (isKnown, isUnusable) = (false, false)
        for place in places {
            do throws(DrivenOutputs.Failure) {
                guard let driven = try place.outputs.read() else { continue }
                outputs += BoardConfiguration.leftovers(driven)
                isKnown = true
            } catch {
                let instead = noConfiguration == nil ? "; what the configuration names is switched off instead" : ""
                problems.append("\(error)\(instead)")
                isUnusable = true
            }
        }
        if isUnusable || !isKnown {
            if let noConfiguration { problems.append("nothing \(isKnown ? "else " : "")is switched off: \(noConfiguration)") }
            outputs += configured
        }
        // A line that is asked for twice at once would be busy.
        var seen: Set<String> = []
        return (outputs.filter { seen.insert($0.output.name).inserted }, problems)
    }

    struct Failure: CustomStringConvertible {
        let output: DrivenOutput
        let fault: DriverFault

        var description: String { "the actuator `\(output.name)` could not be switched off: \(fault)" }
    }

    /// Switches all of them off, until `end` at most. Returns those that could not be switched off.
    static func failures(of outputs: [DrivenOutput], by end: MonotonicInstant) -> [Failure] {
        zip(outputs, LeftoverOutputs.switchOff(outputs.map(\.output), by: end)).compactMap { output, fault in
            fault.map { Failure(output: output, fault: $0) }
        }
    }

    /// Why what belongs to `place` is to be left alone; nil where it is this process's now.
    private static func obstacle(at place: DaemonPlace) -> String? {
        let nothing = "nothing is switched off of what belongs to \(place.socket)"
        switch GuardLock.takeOver(place.guardLock) {
        case .nobodyElse: return nil
        case .guardian(let process):
            return
                "\(nothing): a hapticd is running that drives it, or its guard (process \(process)) cannot be killed; stop that hapticd first"
        case .daemon:
            return "\(nothing): a hapticd is running that drives it, and its guard is being replaced; stop that hapticd first"
        case .unknown(let errno):
            return
                "\(nothing): whether a hapticd is running cannot be seen from \(place.guardLock) (\(String(cString: strerror(errno)))); run this as the user of hapticd, or as root"
        }
    }
}
