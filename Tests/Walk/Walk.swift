// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import TestSupport

/// One seed, walked to its end: inputs and faults at random, then none of these, and what is asked for has to be felt again.
///
/// Of one in four the inputs are lines of the service's clients (`ServiceWalk`); of the others they go to the engine as they are.
struct Walk {
    struct Result {
        var failure: String?
        var simulated: Nanoseconds
        var inputs: Int
        var faults: [Options.Fault: Int]
        var seen: Sometimes
        var trace: UInt64
        /// The motors, and the last that happened, where that was asked for.
        var story: [String]

        init(_ world: borrowing World) {
            (failure, simulated, inputs, faults) = (world.oracle.failure, world.now - .zero, world.inputs, world.faults)
            (seen, trace) = (world.oracle.seen, world.trace.hash)
            seen.add(world.handJudge.seen)
            let (motors, movements) = (world.board.motors, world.board.movements.values)
            story = world.story.map { motors.map { "\($0)" } + movements.map { "\($0)" } + $0.suffix(4000) } ?? []
        }
    }

    /// `options`: what the seed does and leaves out.
    static func run(seed: UInt64, tellsStory: Bool = false) -> (options: String, result: Result) {
        if seed % 4 == 1 { return ServiceWalk.run(seed: seed, tellsStory: tellsStory) }
        var random = SplitMix64(seed: seed)
        let options = Options(using: &random)
        var arranger = Arranger(seed: seed)
        var follower = Follower(seed: seed)
        var board = Board(options, &arranger, using: &random)
        // Of a number that has been drawn: what a seed does stays the same.
        board.resumes = options.steps % 2 == 0
        board.follows = follower.isThere
        if options.steps % 3 == 0 { board.heat(options.steps) }
        let inputs = Inputs(board: board, options: options)
        var world = World(options, board, seed: random.next())
        if tellsStory { world.tellStory() }
        for _ in 0..<options.steps where world.oracle.failure == nil {
            step(&world, inputs, &arranger, &follower, &random)
            world.oracle.forget()
        }
        finish(&world, options)
        return (options.text + arranger.text + follower.text + world.hands.text, Result(world))
    }

    /// Time, and something that happens after it.
    private static func step(
        _ world: inout World, _ inputs: Inputs, _ arranger: inout Arranger, _ follower: inout Follower,
        _ random: inout SplitMix64
    ) {
        let options = inputs.options
        let isPause = Int.random(in: 0..<options.burst, using: &random) == 0
        let longest = 2 * (isPause ? options.pause : options.gap)
        world.run(until: world.now + Nanoseconds(Int64.random(in: 0...longest, using: &random)))
        if let fault = Options.Fault.allCases.randomElement(using: &random), options.faults.contains(fault),
            Int.random(in: 0..<4, using: &random) == 0
        {
            strike(fault, &world, &random)
        }
        // What comes while the event loop stands still is read when it goes on.
        let happened = world.now
        while !world.isEngineFree, world.oracle.failure == nil { world.run(until: world.now + .milliseconds(1)) }
        guard world.oracle.failure == nil else { return }
        let count =
            options.features.contains(.batches) && Int.random(in: 0..<6, using: &random) == 0
            ? Int.random(in: 2...8, using: &random) : 1
        var batch = (0..<count).map { _ in inputs.item(happened, &random) }
        for index in batch.indices {
            batch[index] = follower.arrange(batch[index].item, batch[index].request)
            batch[index] = arranger.arrange(batch[index].item, batch[index].request, on: world.board)
            batch[index].item = world.people.claim(batch[index].item)
        }
        if let ending = arranger.endingItem(of: world.oracle.open, at: world.now) {
            batch.insert((ending, nil), at: arranger.place(in: count))
        }
        let user = world.hands.user()
        for saying in world.hands.say(as: user, world.handJudge) {
            batch.insert((world.hands.item(saying, as: user, at: happened), nil), at: world.hands.place(in: batch.count))
        }
        switch world.people.act(at: world.now) {
        case .change(let change): batch.insert((.change(change), nil), at: world.people.place(in: count))
        case .clock(let time): world.setClock(to: time)
        case nil: break
        }
        world.send(batch.map(\.item), batch.map(\.request))
    }

    private static func strike(_ fault: Options.Fault, _ world: inout World, _ random: inout SplitMix64) {
        let short = Nanoseconds.milliseconds(Int64.random(in: 1...49, using: &random))
        let long = Nanoseconds.milliseconds([60, 150, 400, 3000].randomElement(using: &random)!)
        switch fault {
        case .lateEngine: world.stallEngine(Bool.random(using: &random) ? short : long)
        case .lateExecutor: world.stallExecutor(Bool.random(using: &random) ? short : long)
        case .stopped: world.stop(long)
        case .lostDoorbell: world.loseNextDoorbell()
        case .deviceLost:
            world.takeAway(Int.random(in: 0..<world.board.motors.count, using: &random), isSeen: Bool.random(using: &random))
            if Bool.random(using: &random) { world.bringBack() }
        case .clientGone where world.isEngineFree: world.connectionClosed(UInt64.random(in: 0..<4, using: &random))
        case .reload where world.isEngineFree:
            world.reload(profile: Bool.random(using: &random) ? .full : .quiet, replacing: false)
        case .replaced where world.isEngineFree: world.reload(profile: .full, replacing: true)
        case .sleep where world.isEngineFree:
            world.count(.sleep)
            let times: [Nanoseconds] = [.milliseconds(100), .seconds(3), .seconds(8 * 3600)]
            world.sleep(times.randomElement(using: &random)!)
        case .clientGone, .reload, .replaced, .sleep: break
        }
    }

    /// Without any fault: everything ends, every motor is off, and a `play` is felt on each.
    private static func finish(_ world: inout World, _ options: Options) {
        func rest(_ time: Nanoseconds, _ world: inout World) { world.run(until: world.now + time) }
        world.bringBack()
        rest(.seconds(4), &world)
        // One whose loss was noticed only now.
        world.bringBack()
        rest(.seconds(31), &world)
        // Until no task has anything more to say, and no hold.
        rest(.seconds(65), &world)
        let client = ClientIdentity(connection: 99, user: 0)
        world.send(
            [.change(People.restored), .cancel(CancelRequest(client: client, target: .all, mode: .graceful))], [nil, nil])
        rest(.seconds(12), &world)
        check(world.oracle.playing == 0, "something plays on after it was cancelled", &world)
        for index in world.board.motors.indices where world.oracle.failure == nil {
            check(world.drivers[index].level == 0, "motor \(index) is on at rest", &world)
            let input = PlayInput(
                pattern: world.board.playable.first { $0.name == "success" }!, feedbackClass: .alarm,
                actuators: [ActuatorIndex(index)])
            let before = world.oracle.motors[index].lastChange
            world.send(
                [.input(Input(client: client, at: world.now, kind: .play(input)))], [Request(pattern: "success")])
            rest(.milliseconds(30), &world)
            check(
                world.drivers[index].level != 0 && world.oracle.motors[index].lastChange > before,
                "motor \(index) is not felt any more", &world)
            rest(.seconds(1), &world)
            world.oracle.seen.note(.felt)
        }
        let last = PlayInput(
            pattern: world.board.playable.first { $0.name == "success" }!, feedbackClass: .alarm, actuators: [ActuatorIndex(0)])
        world.send([.input(Input(client: client, at: world.now, kind: .play(last)))], [Request(pattern: "success")])
        rest(.milliseconds(5), &world)
        world.sleep(.seconds(8 * 3600))
        rest(.seconds(1), &world)
        check(world.loop.engine.playbackCount + world.loop.engine.sourceCount == 0, "something outlasts a night", &world)
        check(world.drivers.allSatisfy { $0.level == 0 }, "a motor is on after a night", &world)
        world.shutdown()
        rest(.seconds(1), &world)
        check(world.loop.engine.playbackCount == 0, "something plays on after the end", &world)
    }

    private static func check(_ condition: Bool, _ message: String, _ world: inout World) {
        world.oracle.require(condition, message)
    }
}
