// SPDX-License-Identifier: MIT
import HapticCore
import HapticJSON
import HapticWire
import Testing

@testable import HapticServer
@testable import HapticService

@Suite("Reloads", .serialized) struct ReloadTests {
    @Test("The answer to a reload says what changed")
    func reloadTellsWhatChanged() throws {
        let quiet = try TestDaemon.configuration(profile: .quiet)
        let client = try TestDaemon(reloaded: .success(quiet)).connect()
        #expect(try client.ask("reload")?["result"]?["changed"] == ["profile"])
        #expect(try client.ask("profile")?["result"]?["profile"] == "quiet")
    }

    @Test("A reload changes no profile that a client has set")
    func reloadChangesNoProfile() throws {
        let quiet = try TestDaemon.configuration(profile: .quiet)
        let client = try TestDaemon(reloaded: .success(quiet)).connect()
        #expect(try client.ask("profile", #"{"set":"reduced"}"#)?["result"]?["profile"] == "reduced")
        #expect(try client.ask("reload")?["result"]?["changed"] == ["profile"])
        #expect(try client.ask("profile")?["result"]?["profile"] == "reduced")
        #expect(try client.ask("status")?["result"]?["profile"] == "reduced")
    }

    @Test("A reload with other actuators ends what plays, and drops no client")
    func reloadWithOtherActuators() throws {
        let other = try TestDaemon.configuration(actuators: ["left", "right"])
        let client = try TestDaemon(reloaded: .success(other)).connect()
        client.write(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"minute","wait":true}}"# + "\n")
        client.write(#"{"jsonrpc":"2.0","id":2,"method":"reload"}"# + "\n")
        let ending = try client.readLine()?["result"]?["ending"]
        #expect(ending?["ended"] == "cancelled")
        #expect(ending?["reason"] == "reload")
        #expect(try client.readLine()?["result"]?["changed"] == ["actuators"])
        let answer = try client.ask("play", #"{"pattern":"soft","actuators":["right"]}"#)
        #expect(answer?["result"]?["decision"]?["actuators"] == ["right"])
    }

    @Test("A reload of what only the executor looks into ends what plays and replaces it", arguments: ["actuators", "realtime"])
    func reloadOfWhatOnlyTheExecutor(part: String) throws {
        var other = try TestDaemon.configuration()
        other.parts[part] = .init(1)
        let daemon = try TestDaemon(reloaded: .success(other))
        let client = try daemon.connect()
        client.write(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"minute","wait":true}}"# + "\n")
        client.write(#"{"jsonrpc":"2.0","id":2,"method":"reload"}"# + "\n")
        #expect(try client.readLine()?["result"]?["ending"]?["reason"] == "reload")
        #expect(try client.readLine()?["result"]?["changed"] == [.string(part)])
        #expect(try daemon.onLoop { _ in daemon.sink.replacements } == 1)
        #expect(try client.ask("play", #"{"pattern":"soft"}"#)?["result"]?["decision"]?["outcome"] == "played")
    }

    @Test("Each reload names what only a restart takes up, for as long as it differs")
    func socketAcrossReloads() throws {
        func configuration(socket: String) throws -> ServiceConfiguration {
            var configuration = try TestDaemon.configuration()
            configuration.parts["socket"] = .init(socket)
            return configuration
        }
        let client = try TestDaemon(configuration(socket: "/a"), reloaded: .success(configuration(socket: "/b"))).connect()
        for _ in 1...2 {
            let result = try client.ask("reload")?["result"]
            #expect(result?["needsRestart"] == ["socket"])
            #expect(result?["changed"] == [])
        }
    }

    @Test("A reload that replaces the executor keeps the gap of a motor whose name stays")
    func gapAcrossReload() throws {
        let limits = MotorLimits(minGap: .seconds(20))
        var other = try TestDaemon.configuration(limits: limits)
        other.parts["realtime"] = .init(1)
        let clock = HeldClock()
        let daemon = try TestDaemon(
            TestDaemon.configuration(limits: limits), reloaded: .success(other), now: { clock.now() })
        let client = try daemon.connect()
        #expect(try client.ask("play", #"{"pattern":"soft"}"#)?["result"]?["decision"]?["outcome"] == "played")
        clock.advance(.seconds(1))
        #expect(try client.ask("reload")?["result"]?["changed"] == ["realtime"])
        let again = try client.ask("play", #"{"pattern":"soft"}"#)?["result"]?["decision"]
        #expect(again?["outcome"] == "merged")
        #expect(again?["reason"] == "minGap")
    }

    @Test("Parts that differ have changed, be their hashes equal")
    func partsThatDiffer() throws {
        struct Colliding: Hashable {
            let number: Int
            func hash(into hasher: inout Hasher) {}
        }
        func configuration(_ number: Int) throws -> ServiceConfiguration {
            var configuration = try TestDaemon.configuration()
            for part in ["actuators", "realtime", "patterns"] { configuration.parts[part] = .init(Colliding(number: number)) }
            return configuration
        }
        #expect(Colliding(number: 1).hashValue == Colliding(number: 2).hashValue)
        let changes = try configuration(1).changes(to: configuration(2))
        #expect(changes == ["actuators", "realtime", "patterns"])
        #expect(try configuration(1).changes(to: configuration(1)).isEmpty)
        #expect(ServiceConfiguration.Part(1) != ServiceConfiguration.Part("1"))
    }

    @Test("A bad configuration changes nothing, and its errors are the answer")
    func badConfigurationChanges() throws {
        let error = WireError(.invalidConfiguration, "1 error", data: .init(diagnostics: ["hapticd.yaml:3:1: profile: …"]))
        let client = try TestDaemon(reloaded: .failure(error)).connect()
        let answer = try client.ask("reload")?["error"]
        #expect(answer?["code"] == .number(-32003))
        #expect(answer?["data"]?["diagnostics"] == ["hapticd.yaml:3:1: profile: …"])
        #expect(try client.ask("profile")?["result"]?["profile"] == "full")
    }
}
