// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import TestSupport

/// The walk of one seed: random inputs and faults, and then an end without faults, at which a play has to be felt.
///
/// The inputs of one seed in four are lines of the service's clients (`ServiceWalk`). Those of the others go to the engine.
struct Walk {
    struct Result {
        var failure: String?
        var simulated: Nanoseconds
        var inputs: Int
        var faults: [Options.Fault: Int]
        var seen: Sometimes
        var trace: Int
        /// The motors and the last events, on request.
        var story: [String]

        init(_ world: borrowing World) {
            (failure, simulated, inputs, faults) = (world.oracle.failure, world.now - .zero, world.inputs, world.faults)
            (seen, trace) = (world.oracle.seen, world.trace.finalize())
            seen.add(world.handRules.seen)
            let motors = world.board.motors
            story = world.story.map { motors.map { "\($0)" } + $0.suffix(4000) } ?? []
        }
    }

    /// Walks `seed`. Returns its options in words, too.
    static func run(seed: UInt64, tellsStory: Bool = false) -> (options: String, result: Result) {
        if seed % 4 == 1 { return ServiceWalk.run(seed: seed, tellsStory: tellsStory) }
        var random = SplitMix64(seed: seed)
        let options = Options(using: &random)
        let board = Board(options, using: &random)
        var inputs = Inputs(board, options, seed: random.next())
        var world = World(options, board, seed: random.next())
        if tellsStory { world.tellStory() }
        for _ in 0..<options.steps where world.oracle.failure == nil {
            step(&world, &inputs, &random)
            world.oracle.forget()
        }
        finish(&world)
        return (options.text, Result(world))
    }

    /// Lets time pass, and then causes one event.
    private static func step(_ world: inout World, _ inputs: inout Inputs, _ random: inout SplitMix64) {
        let options = inputs.options
        let longest = 2 * (random.chance(options.burst) ? options.pause : options.gap)
        world.run(until: world.now + Nanoseconds(Int64.random(in: 0...longest, using: &random)))
        if let fault = Options.Fault.allCases.randomElement(using: &random), options.faults.contains(fault), random.chance(4) {
            strike(fault, &world, &random)
        }
        // Inputs that come while the event loop stands still are read when it continues.
        let happened = world.now
        while !world.isEngineFree, world.oracle.failure == nil { world.run(until: world.now + .milliseconds(1)) }
        guard world.oracle.failure == nil else { return }
        if options.has(.settings), random.chance(50) {
            world.take(.localTime(LocalTime(.mon, second: Int.random(in: 0..<7 * 86_400, using: &random))))
        }
        world.send(inputs.batch(at: happened, world.oracle.playingIDs))
    }

    private static func strike(_ fault: Options.Fault, _ world: inout World, _ random: inout SplitMix64) {
        guard !world.strike(fault, &random), world.isEngineFree else { return }
        switch fault {
        case .clientGone: world.connectionClosed(UInt64.random(in: 1..<5, using: &random))
        case .reload: world.reload(profile: random.chance(2) ? .full : .quiet, replacing: false)
        case .replaced: world.reload(profile: .full, replacing: true)
        case .sleep:
            world.count(.sleep)
            let lengths: [Nanoseconds] = [.milliseconds(100), .seconds(3), .seconds(8 * 3600)]
            world.take(.slept(random.one(of: lengths)))
        case .lateEngine, .lateExecutor, .stopped, .lostDoorbell, .deviceLost: break
        }
    }

    /// Ends the walk without faults: all playbacks end, every motor is off, and a `play` is felt on each.
    private static func finish(_ world: inout World) {
        func rest(_ time: Nanoseconds, _ world: inout World) { world.run(until: world.now + time) }
        world.bringBack()
        rest(.seconds(4), &world)
        // A device whose loss was noticed only now comes back, too.
        world.bringBack()
        // Long enough that no device is tried, and no task or hold is pending any more.
        rest(.seconds(96), &world)
        let client = ClientIdentity(connection: 99, user: 0)
        world.send([.change(.restored), .cancel(CancelRequest(client: client, target: .all, mode: .graceful))])
        rest(.seconds(12), &world)
        world.oracle.require(world.oracle.playing == 0, "something plays on after it was cancelled")
        func play(_ index: Int, _ world: inout World) {
            let input = PlayInput(
                pattern: world.board.pattern("success"), feedbackClass: .alarm, actuators: [ActuatorIndex(index)])
            world.send([.input(Input(client: client, at: world.now, kind: .play(input)))])
        }
        for index in world.board.motors.indices where world.oracle.failure == nil {
            world.oracle.require(world.drivers[index].level == 0, "motor \(index) is on at rest")
            play(index, &world)
            rest(.milliseconds(30), &world)
            world.oracle.require(world.drivers[index].level != 0, "motor \(index) is not felt any more")
            rest(.seconds(1), &world)
            world.oracle.seen.note("felt")
        }
        play(0, &world)
        rest(.milliseconds(5), &world)
        world.take(.slept(.seconds(8 * 3600)))
        rest(.seconds(1), &world)
        let (playbacks, sources) = (world.loop.engine.playbackCount, world.loop.engine.sourceCount)
        world.oracle.require(playbacks + sources == 0, "something outlasts a night")
        play(0, &world)
        rest(.milliseconds(5), &world)
        world.take(.shutdown)
        let count = world.loop.engine.playbackCount
        world.oracle.require(count == 0, "something plays on after the end")
        rest(.milliseconds(1), &world)
        world.oracle.require(world.drivers.allSatisfy { $0.level == 0 }, "a motor is on after the end")
    }
}
