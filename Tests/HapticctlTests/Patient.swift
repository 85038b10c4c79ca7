// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticWire

@testable import hapticctl

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

    static func status(profile: String = "full", realtime: StatusResult.Realtime = .init(), missed: UInt64 = 0) -> StatusResult {
        StatusResult(
            version: HapticVersion.current, uptimeMs: 1, profile: profile,
            settings: SettingsNow(SettingsInForce(Settings()), at: .zero, nil, isKept: true), configuration: .init(file: nil),
            clients: 1, sources: 0, playbacks: 0, decisions: [], subscribers: 0, invalidNotifications: 0, refused: [], missed: 0,
            missedActuations: missed, missedByActuator: [],
            missedDeadlines: [], unavailable: [], realtime: realtime, lateness: [], latency: [], heat: [], inputs: [])
    }

    static func answer(_ name: String, _ fault: DriverFault? = nil, backend: String = "gpio") -> ActuatorResult {
        ActuatorResult(
            name: name, capabilities: .full, limits: .none, backend: backend, fault: fault?.ofActuator, fallback: nil)
    }
}
