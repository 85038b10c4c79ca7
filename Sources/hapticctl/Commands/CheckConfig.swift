// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticConfig
import HapticCore
import HapticEngine
import HapticJSON

struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Find all errors of a configuration file at once.",
        discussion: """
            Examples:

              hapticctl check-config
              hapticctl check-config ./hapticd.yaml

            Each error has its line, its column and what would be right. Needs no daemon. The file may be for another machine: users, groups and
            devices that it names are not looked for; `hapticd --check` looks for the users and groups.
            """)

    @Argument(help: "The file.", completion: .yamlFile)
    var file = ConfigurationFile.standardPath

    @OptionGroup var common: CommonOptions

    func run() throws {
        let console = common.console()
        do {
            let configuration = try Configuration.load(path: file)
            try console.say("\(file): ok, \(Self.summary(configuration))")
            if Privilege.allCases.contains(where: { configuration.access[$0] != nil }) {
                try console.say("users and groups of `access` are not looked up here; `hapticd --check --config FILE` does")
            }
        } catch let error as InvalidDocument {
            for diagnostic in error.diagnostics { try console.writeJSON(Problem(diagnostic)) }
            try console.flush()
            let count = Words.count(error.diagnostics.count, "error")
            throw console.isJSON
                ? Failure("\(file) has \(count); fix what is listed, then check again")
                : Failure(lines: Failure(error).lines + [count])
        }
        try console.flush()
    }

    private static func summary(_ configuration: Configuration) -> String {
        let names = configuration.actuators.map(\.name).joined(separator: ", ")
        return [
            "\(Words.count(configuration.actuators.count, "actuator"))\(names.isEmpty ? "" : " (\(names))")",
            Words.count(configuration.progressRules.count, "progress rule"),
            Words.count(configuration.eventRules.count, "event rule"),
            Words.count(configuration.patterns.count, "pattern"), "profile \(configuration.profile.rawValue)",
        ].joined(separator: ", ")
    }
}
