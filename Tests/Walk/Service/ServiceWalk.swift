// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import TestSupport

/// The walk of a seed whose inputs are lines of the service's clients.
struct ServiceWalk: ~Copyable {
    private let served: Served
    private var sayings: Sayings
    private var world: World
    private var random: SplitMix64

    static func run(seed: UInt64, tellsStory: Bool) -> (options: String, result: Walk.Result) {
        var walk = ServiceWalk(seed: seed)
        if tellsStory { walk.world.tellStory() }
        return walk.run()
    }

    private init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        let options = Options(using: &random)
        let board = Board(options, using: &random)
        served = Served(options, board.configuration(profile: .full, hasOtherMotors: false))
        world = World(options, board, seed: random.next())
        sayings = Sayings(board, options, seed: random.next())
        world.served = served
    }

    private mutating func run() -> (options: String, result: Walk.Result) {
        // A line takes longer than a single input, so there are fewer lines.
        for _ in 0..<world.options.steps / 5 where world.oracle.failure == nil {
            step()
            world.receive()
            world.oracle.forget()
        }
        finish()
        world.oracle.seen.add(served.judge.seen)
        served.close()
        return (world.options.text + world.options.serviceText, Walk.Result(world))
    }

    // MARK: Steps

    /// Lets time pass, and then causes one event.
    private mutating func step() {
        let options = world.options
        let longest = 2 * (random.chance(options.burst) ? options.pause : options.gap)
        world.run(until: world.now + Nanoseconds(Int64.random(in: 0...longest, using: &random)))
        if let fault = Options.Fault.allCases.randomElement(using: &random), options.faults.contains(fault), random.chance(4) {
            strike(fault)
        }
        if let fault = Options.ClientFault.allCases.randomElement(using: &random), options.clientFaults.contains(fault),
            random.chance(3)
        {
            strike(fault)
        }
        guard world.oracle.failure == nil else { return }
        if random.chance(8) { connect() }
        guard let client = someone() else { return connect() }
        say(client)
        // A client that has stopped reading reads again.
        if random.chance(6), let deaf = served.clients.first(where: { !$0.isReading }) { deaf.setReading(true) }
    }

    private mutating func someone() -> WalkClient? { served.clients.filter(\.maySay).randomElement(using: &random) }

    private mutating func say(_ client: WalkClient) {
        let (text, sent) = line(of: client)
        world.tell("client \(client.connection) says \(text)")
        served.say(text, sent, by: client)
    }

    private mutating func line(of client: WalkClient) -> (String, [Sent]) {
        sayings.playing = world.oracle.playingIDs
        sayings.motorNames = world.board.names(hasOtherMotors: world.hasOtherMotors)
        return sayings.line(of: client, at: world.now)
    }

    private mutating func connect(user: UInt32? = nil) {
        // The event loop has to read the socket first.
        while !world.isEngineFree, world.oracle.failure == nil { world.run(until: world.now + .milliseconds(1)) }
        let user = user ?? [0, 1000, 1000, 1000, 1001, 1002].randomElement(using: &random)!
        let groups: [UInt32] = random.chance(3) ? [user, Served.admins] : [user]
        guard let client = served.connect(user: user, groups: groups, at: world.now) else { return }
        world.tell("client \(client.connection) of user \(user) connects")
    }

    // MARK: Faults

    private mutating func strike(_ fault: Options.Fault) {
        guard !world.strike(fault, &random) else { return }
        switch fault {
        case .clientGone: if let client = someone() { hangUp(client) }
        case .reload, .replaced: served.askForReload()
        case .sleep:
            world.count(.sleep)
            // From a moment to a night; the shortest sleeps are ignored.
            let time = Nanoseconds.milliseconds(random.one(of: [50, 100, 3000, 8 * 3_600_000] as [Int64]))
            served.log.suspended = served.log.suspended + time
        case .lateEngine, .lateExecutor, .stopped, .lostDoorbell, .deviceLost: break
        }
    }

    private mutating func strike(_ fault: Options.ClientFault) {
        guard let client = someone() else { return }
        world.tell("\(fault) of client \(client.connection)")
        switch fault {
        case .hangUp:
            for _ in 0..<Int.random(in: 0...3, using: &random) { say(client) }
            hangUp(client)
        case .closeHalf:
            client.closeHalf(seenAt: soon())
            served.judge.seen.note("half closed")
        case .deaf: deafen(client)
        case .flood: flood(client)
        case .halfLine: sayHalf(client)
        case .longLine:
            client.receiver.mayBeRefused += 1
            served.say(String(repeating: "x", count: 66_000), [], by: client)
        case .rubbish:
            client.receiver.mayBeRefused += 1
            let rubbish = ["{", "[]", "[1", "true", "{}", "\u{1}", #"{"jsonrpc":"1.0"}"#]
            served.say(rubbish.randomElement(using: &random)!, [], by: client)
        case .reload: served.askForReload()
        }
    }

    /// The instant at which the daemon notices a closed socket. Other work of the same instant may come first.
    private mutating func soon() -> MonotonicInstant {
        world.now + .milliseconds([0, 0, 1, 20, 300].randomElement(using: &random)!)
    }

    private mutating func hangUp(_ client: WalkClient) {
        world.count(.clientGone)
        if client.receiver.waits > 0 || client.unreadCount > 0 { world.oracle.seen.note("client gone") }
        client.hangUp(seenAt: soon())
    }

    /// Stops the reading of `client`, which mostly asks for more than its socket holds.
    private mutating func deafen(_ client: WalkClient) {
        let topics = Sent(id: client.nextNumber(), result: "topics", topics: [.decisions, .playbacks])
        served.say(Sayings.text("subscribe", #"{"topics":["decisions","playbacks"]}"#, topics.id), [topics], by: client)
        client.setReading(false)
        guard random.chance(2) else { return }
        for _ in 0..<40 {
            let sent = Sent(id: client.nextNumber(), result: "openrpc")
            served.say(Sayings.text("rpc.discover", "{}", sent.id), [sent], by: client)
        }
    }

    /// Opens all connections that the user of `client` may have, and sends much on each.
    private mutating func flood(_ client: WalkClient) {
        served.judge.seen.note("flood")
        for _ in 0..<Int.random(in: 0...Served.mostOfUser, using: &random) { connect(user: client.user) }
        for one in served.clients where one.user == client.user && one.maySay {
            for _ in 0..<Int.random(in: 1...20, using: &random) where one.maySay { say(one) }
        }
    }

    private mutating func sayHalf(_ client: WalkClient) {
        let (text, sent) = line(of: client)
        served.judge.seen.note("half line")
        served.sayHalf(text, sent, count: Int.random(in: 1..<text.utf8.count - 1, using: &random), by: client)
    }

    // MARK: The end

    /// Ends the walk without faults: all playbacks end, every client has its answers, and a `play` is felt on each motor and
    /// answered.
    private mutating func finish() {
        world.bringBack()
        for client in served.clients where client.isConnected {
            if client.canReceive, !client.isHalfClosed { client.finishHalf() }
            client.setReading(true)
        }
        rest(.seconds(4))
        // A device whose loss was noticed only now comes back, too.
        world.bringBack()
        // Long enough that no device is tried, and no task or hold is pending any more.
        rest(.seconds(96))
        // Makes room for the last client.
        for client in served.clients.prefix(served.clients.count / 2) { client.hangUp(seenAt: world.now) }
        rest(.seconds(2))
        guard world.oracle.failure == nil else { return }
        guard let last = served.connect(user: Served.ownUser, groups: [], at: world.now) else {
            return world.oracle.fail("nobody can connect any more")
        }
        let restored = #""strength":null,"classes":null,"apps":null,"quietHours":null,"off":null"#
        ask(last, "settings", #"{"set":{"profile":"full",\#(restored)}}"#, "profile")
        ask(last, "cancel", #"{"all":true}"#, "cancelled")
        rest(.seconds(12))
        world.oracle.require(world.oracle.playing == 0, "something plays on after it was cancelled")
        for index in world.board.motors.indices where world.oracle.failure == nil { feel(index, last) }
        check(last)
        stop(last)
    }

    private mutating func rest(_ time: Nanoseconds) {
        world.run(until: world.now + time)
        world.receive()
    }

    private func ask(_ client: WalkClient, _ method: String, _ params: String, _ result: String, isAwaited: Bool = false) {
        var sent = Sent(id: client.nextNumber(), result: result, isAwaited: isAwaited)
        (sent.isSetting, sent.isHeld) = (method == "settings", method == "settings")
        if isAwaited { sent.app = "last \(sent.id!)" }
        let app = isAwaited ? params.dropLast() + #","app":"last \#(sent.id!)"}"# : params
        served.say(Sayings.text(method, app, sent.id), [sent], by: client)
    }

    private mutating func feel(_ index: Int, _ client: WalkClient) {
        world.oracle.require(world.drivers[index].level == 0, "motor \(index) is on at rest")
        let name = world.board.names(hasOtherMotors: world.hasOtherMotors)[index]
        ask(
            client, "play", #"{"pattern":"success","class":"alarm","wait":true,"actuators":["\#(name)"]}"#, "playback",
            isAwaited: true)
        rest(.milliseconds(30))
        world.oracle.require(world.drivers[index].level != 0, "motor \(index) is not felt any more")
        rest(.seconds(1))
        world.oracle.require(client.receiver.waits == 0, "what was felt on motor \(index) is not answered")
        world.oracle.seen.note("felt")
    }

    /// Checks that each client has received all its lines.
    private mutating func check(_ last: WalkClient) {
        ask(last, "status", "{}", "version")
        rest(.seconds(1))
        guard world.oracle.failure == nil else { return }
        for client in served.clients where client.canReceive {
            client.receiver.check(&served.judge, "client \(client.connection)")
            served.judge.checkInputs(of: client.connection)
            served.judge.require(!client.isHalfClosed, "client \(client.connection) closed its half, and is not closed")
        }
        served.judge.require(served.log.handedOut == served.judge.chosen, "what is set was not stored")
        world.takeComplaint(of: served)
    }

    private mutating func stop(_ last: WalkClient) {
        guard world.oracle.failure == nil else { return }
        served.shutDown(at: world.now)
        let sent = Sent(id: last.nextNumber(), mustFail: true)
        served.say(Sayings.text("status", "{}", sent.id), [sent], by: last)
        rest(.seconds(2))
        served.judge.require(last.receiver.isAnswered, "nothing is answered at the end")
        world.takeComplaint(of: served)
        world.oracle.require(world.oracle.playing == 0, "something plays on after the end")
    }
}
