// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticEngine
import HapticPlanning
import HapticService
import HapticWire
import TerminalTestSupport

@testable import HapticDoctor

/// Facts for the doctor's checks.
enum Patient {
    /// A board on which all is well, for a test to break one thing of.
    static func healthy() -> Facts {
        var facts = Facts()
        facts.user = UserFacts(id: 1000, name: "ada", groups: [1000, 990], groupsAtLogin: [1000, 990])
        facts.sockets = [SocketFacts(path: Facts.systemSocket, file: socketFile(), outcome: .connected)]
        facts.daemon = DaemonFacts(socket: Facts.systemSocket, status: status(), process: 7, openFiles: 20, mostOpenFiles: 4096)
        facts.service.units = units()
        facts.configuration.state = .valid(["main"])
        facts.actuators = [ActuatorFacts(name: "main", answer: answer("main"))]
        facts.rulesPath = "/usr/lib/udev/rules.d/70-hapticd.rules"
        facts.machine = MachineFacts(clockResolution: 1, totalMemory: 1_000_000, availableMemory: 500_000)
        return facts
    }

    static func socketFile() -> FileFacts {
        FileFacts(path: Facts.systemSocket, group: 990, groupName: "haptics", mode: 0o660, isSocket: true)
    }

    typealias Units = [String: [String: String]]

    static func units(socket: String = "active", daemon: String = "active", file: String = "enabled") -> Units {
        [
            "hapticd.service": [
                "Id": "hapticd.service", "LoadState": "loaded", "ActiveState": daemon, "UnitFileState": file, "NRestarts": "0",
                "Result": daemon == "failed" ? "exit-code" : "success", "MainPID": "7",
            ],
            "hapticd.socket": ["Id": "hapticd.socket", "LoadState": "loaded", "ActiveState": socket, "UnitFileState": file],
        ]
    }

    static func status(
        profile: Profile = .full, realtime: StatusResult.Realtime = .init(), missed: UInt64 = 0
    ) -> StatusResult {
        var status = StatusResult()
        (status.version, status.uptimeMs, status.clients) = (HapticVersion.current, 1, 1)
        status.settings = SettingsNow(SettingsInForce(Settings()), at: .zero, nil, isKept: true)
        (status.profile, status.realtime, status.missedActuations) = (profile, realtime, missed)
        return status
    }

    static func answer(_ name: String, _ fault: DriverFault? = nil, backend: String = "gpio") -> ActuatorResult {
        ActuatorResult(EngineActuator(name: name), backend: backend, fault: fault?.ofActuator)
    }
}
