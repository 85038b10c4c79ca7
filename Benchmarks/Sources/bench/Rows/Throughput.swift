// SPDX-License-Identifier: MIT
internal import Measuring

/// Lines that are ready to be sent: the progress of some uploads, each from 0 to 1 in steps of a ten-thousandth, over and over.
struct Flood {
    static let linesAWrite = 500
    let writes: [[UInt8]]
    let count: Int

    init(lines: Int, sources: Int) {
        var writes: [[UInt8]] = []
        var bytes: [UInt8] = []
        for number in 0..<lines {
            // The sources are apart, so that at any time some of them cross a step.
            let value = (number / sources + number % sources * 613) % 10_001
            let digits = String(value % 10_000)
            let text = value == 10_000 ? "1" : "0." + String(repeating: "0", count: 4 - digits.count) + digits
            bytes += #"{"jsonrpc":"2.0","method":"progress","params":{"id":"upload-\#(number % sources)","value":\#(text)}}"#.utf8
            bytes.append(UInt8(ascii: "\n"))
            if number % Self.linesAWrite == Self.linesAWrite - 1 || number == lines - 1 {
                writes.append(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        self.writes = writes
        count = lines
    }

    /// What a flood took.
    struct Cost {
        /// From the first write until the daemon reports that all have been decided.
        var perSecond: Double
        /// Processor time of an event, in µs.
        var cpu: Double
    }

    func send(to daemon: Daemon, on line: Line) throws -> Cost {
        let before = try daemon.status().decided
        let cpu = try ProcessTable.cpuTime(of: daemon.program.process)
        let start = now()
        for bytes in writes { try line.send(bytes) }
        _ = try answer(on: line, to: #"{"jsonrpc":"2.0","id":"end","method":"status"}"#)
        let end = now()
        let used = try ProcessTable.cpuTime(of: daemon.program.process) - cpu
        let decided = try daemon.status().decided - before
        guard decided == count else { throw Failure("of \(count) events hapticd decided \(decided)") }
        return Cost(perSecond: Double(count) / Double(end - start) * 1e9, cpu: Double(used) / 1000 / Double(count))
    }
}

/// Events a second, and the time of one call, against feedbackd; and against C that counts lines.
struct Throughput {
    let site: Site

    func rows() throws -> [Row] {
        let plan = site.plan
        let flood = Flood(lines: plan.lines, sources: 4)
        let warmUp = Flood(lines: 20_000, sources: 4)
        var events: [Double] = []
        var calls: [Double] = []
        var counted: [Double] = []
        var feedbackdRates: [Double] = []
        var feedbackdCalls: [Double] = []
        for round in 1...plan.rounds {
            site.say("events a second, and one call: round \(round) of \(plan.rounds)")
            let daemon = try Daemon(.simulated(motors: 1), site)
            let line = try daemon.connect()
            _ = try warmUp.send(to: daemon, on: line)
            events.append(try flood.send(to: daemon, on: line).perSecond)
            calls.append(percentile(0.5, of: try callTimes(on: line)))
            daemon.stop()

            counted.append(try countingRate(flood, warmUp))

            let feedbackd = try Feedbackd(site)
            _ = try feedbackd.callsPerSecond(200)
            feedbackdRates.append(try feedbackd.callsPerSecond(plan.calls))
            feedbackdCalls.append(percentile(0.5, of: try feedbackd.calls(plan.calls / 2)))
            feedbackd.stop()
        }
        let what = "events a second, one client, pipelined JSON lines,"
        return [
            Row("events", "\(what) all decided", .perSecond, events, wanted: .atLeast(150_000)),
            Row(
                "events-feedbackd", "\(what) against calls", .perSecond, events, against: "feedbackd", feedbackdRates,
                wanted: .ratioAtLeast(50)),
            Row("events-c", "\(what) against counting lines", .perSecond, events, against: "C", counted),
            Row(
                "call", "one call answered, p50", .microseconds, calls.map { $0 / 1000 }, against: "feedbackd",
                feedbackdCalls.map { $0 / 1000 }, wanted: .ratioAtMost(0.25)),
        ]
    }

    private func callTimes(on line: Line) throws -> [Double] {
        var times: [Double] = []
        for number in 0..<site.plan.calls {
            let request = Array(
                #"{"jsonrpc":"2.0","id":\#(number),"method":"progress","params":{"id":"call","value":0.\#(5000 + number % 50)}}"#
                    .utf8
                    + [UInt8(ascii: "\n")])
            let start = now()
            try line.send(request)
            _ = try line.read()
            times.append(Double(now() - start))
        }
        return times
    }

    private func countingRate(_ flood: Flood, _ warmUp: Flood) throws -> Double {
        let path = try site.newFolder() + "/s"
        let program = try site.start("reference-line", [path, "count"])
        defer { program.stop() }
        _ = try program.firstLine(within: 5)
        guard let line = Line(to: path) else { throw Failure("the reference does not listen") }
        var rate = 0.0
        for flood in [warmUp, flood] {
            let start = now()
            for bytes in flood.writes { try line.send(bytes) }
            try line.send("END")
            let counted = try line.readText()
            rate = Double(flood.count) / Double(now() - start) * 1e9
            guard counted == "\(flood.count)" else { throw Failure("the reference counted \(counted) of \(flood.count) lines") }
        }
        return rate
    }
}
