// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticBackends
import HapticClient
import HapticConfig
import HapticCore
import HapticDoctor
import HapticInputs
import HapticTerminal
import HapticWire

struct Actuators: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the motors and lights, and what they can do.",
        discussion: """
            Examples:

              hapticctl actuators
              hapticctl actuators --scan
              hapticctl actuators --scan --yaml > actuators.yaml
              hapticctl actuators --scan --udev > 70-hapticd.rules

            --scan lists what this machine has, in use or not; it needs no daemon and changes nothing.
            --udev prints udev rules for the devices of the configuration and no others. It installs nothing, and ends with status 1 where one is missing.
            """)

    @Flag(help: "Look for what this machine has: GPIO lines, PWM channels, game pads, lights.")
    var scan = false

    @Flag(help: "With --scan: an `actuators:` section to paste into the configuration.")
    var yaml = false

    @Flag(
        help:
            "With --scan: udev rules that let hapticd use the devices of the configuration, and no others; keys of `holds` it may only read."
    )
    var udev = false

    @Option(
        help: ArgumentHelp("With --udev: the configuration. (default: \(ConfigurationFile.standardPath))", valueName: "file"),
        completion: .yamlFile)
    var config: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if yaml, !scan { throw ValidationError("--yaml is about --scan; give that too") }
        if udev, !scan { throw ValidationError("--udev is about --scan; give that too") }
        if config != nil, !udev { throw ValidationError("--config is for --udev; give that too") }
        if udev, yaml || common.json {
            throw ValidationError("--udev and \(yaml ? "--yaml" : "--json") are two forms of the output; give one of them")
        }
        if yaml, common.json { throw ValidationError("--yaml and --json are two forms of the output; give one of them") }
    }

    func run() throws {
        let console = common.console()
        if udev { return try showRules(console) }
        if scan { return try Self.show(Backends.all.compactMap { $0.inventory() }, asYAML: yaml, console) }
        let result = try common.connect().call(ActuatorsParams())
        try console.writeJSON(result)
        for line in ActuatorTable(actuators: result.actuators).lines { try console.say(line) }
        try console.flush()
    }

    private static func show(_ inventories: [Inventory], asYAML: Bool, _ console: Console) throws {
        for object in inventories.flatMap(\.objects) { try console.writeJSON(object) }
        if asYAML {
            for line in ScanYAML(inventories).lines { try console.emit(line) }
        } else {
            for line in ScanText(inventories).lines { try console.say(line) }
        }
        try console.flush()
    }

    private func showRules(_ console: Console) throws {
        let path = config ?? ConfigurationFile.standardPath
        guard access(path, F_OK) == 0 else {
            throw Failure(
                "there is no \(path), which names the devices; write one (`hapticctl actuators --scan --yaml` proposes its actuators), or name another by --config"
            )
        }
        let configuration = try ConfigurationFile.read(path)
        let scan = ScanUdev(
            configuration.actuators.map { actuator in
                let rule = Result { () throws(DriverFault) in try actuator.backend.accessRule(in: .system) }
                return .init(name: actuator.name, backend: type(of: actuator.backend).name, rule: rule)
            },
            configuration.inputs.map { input in
                let address = input.source.address
                let rule = Result { () throws(InputFault) in try address.accessRule() }
                return .init(name: input.purpose.name, isKey: address.isKey, rule: rule)
            })
        for line in scan.lines { try console.emit(line) }
        try console.flush()
        guard !scan.problems.isEmpty else { return }
        throw Failure(
            lines: scan.problems + [
                "\(Words.count(scan.problems.count, "device")) without a rule, as above; the other rules are complete"
            ])
    }
}
