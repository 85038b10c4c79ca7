// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticJSON
import HapticService
import HapticWire
import TestSupport
import Testing

/// A line is at most 64 KiB; none may hold the daemon up, whatever stands where in it.
@Suite("The worst text in a line of a client")
struct WorstTextTests {
    /// Everything that an inline pattern may have.
    private static let pattern = """
        {"version":1,"name":"x","description":"y","tracks":[{"keyframes":[{"atMs":0,"intensity":0.5,"sharpness":0.5,"curve":"easeIn"},\
        {"atMs":20,"intensity":1,"curve":{"spring":{"response":"200ms","dampingFraction":0.8}}},\
        {"atMs":40,"intensity":1,"curve":{"spring":{"duration":"0.2s","bounce":0.1}}}]},\
        {"events":[{"atMs":0,"type":"transient","intensity":1},{"atMs":30,"type":"continuous","intensity":1,"sharpness":0.2,\
        "durationMs":100,"sustained":true,"attackMs":1,"decayMs":1,"releaseMs":1}]}],\
        "parameterCurves":[{"parameter":"intensity","points":[{"atMs":0,"value":0.5}]},\
        {"parameter":"attackTime","points":[{"atMs":0,"value":"10ms"}]}]}
        """

    /// A request with all that its method takes, but for what excludes the others.
    private static func line(_ method: HapticWire.Method) -> String {
        let members = method.members.map { "\"\($0.name)\":\($0.kind.example(pattern: pattern))" }.joined(separator: ",")
        return "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"\(method.rawValue)\",\"params\":{\(members)}}"
    }

    /// Seconds for one of these places alone where it compares characters; for all of them in sum that is many minutes.
    @Test(
        "A line is read or refused at once, wherever such text stands in it", .timeLimit(.minutes(2)),
        arguments: HapticWire.Method.allCases)
    func everywhere(method: HapticWire.Method) throws {
        let line = Self.line(method)
        var classes = ClassTable.standard
        (classes.notification.reduced, classes.interaction.reduced) = (.half, .half)
        let configuration = try EngineConfiguration(classes: classes, actuators: [EngineActuator(name: "a")], patterns: [:])
        var resolver = CallResolver(configuration)
        let client = ClientIdentity(connection: 1, user: 1000)
        for worst in WorstText.all {
            for hostile in WorstText.everywhere(in: line, worst) {
                guard case .single(let message) = ClientLine(Array(hostile.utf8)), case .success(let call) = message.call else {
                    continue
                }
                resolver.beginLine(bytes: hostile.utf8.count)
                do throws(WireError) {
                    _ = try resolver.item(call, of: client, readAt: .zero)
                } catch {
                    continue
                }
                #expect(hostile.contains("\"description\":"))
            }
        }
    }
}
