import CoreMedia
import Foundation
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO

@testable import Playback

/// An item and the feeds that were opened for it.
final class SimulatedItem: Sendable {
    let name: String
    let server: SimulatedServer
    let item: PlayerItem
    private let made: LatestFeed

    /// The feed of the latest opening of the item.
    private final class LatestFeed: Sendable {
        let feed = Mutex<SimulatedFeed?>(nil)
    }

    init(_ name: String, _ server: SimulatedServer, _ world: VirtualWorld) {
        let made = LatestFeed()
        (self.name, self.server, self.made) = (name, server, made)
        item = PlayerItem(machine: SystemMachine()) {
            let feed = SimulatedFeed(server, world)
            made.feed.withLock { $0 = feed }
            return feed
        }
    }

    var feed: SimulatedFeed? { made.feed.withLock { $0 } }
}

/// A player in its own virtual world, checked against the contract after each event.
final class Simulation {
    enum Output: String, CaseIterable, Sendable { case local, tiny, speaker, silent }

    let world = VirtualWorld()
    let player: any SimulatedPlayer
    let route: any OutputRoute
    let output: Output
    private(set) var items: [SimulatedItem] = []
    var contract: Contract
    private let book: NoteBook
    private var checked = 0
    private var isBursting = false
    /// Whether to keep all notes; false for long simulations.
    var keepsNotes = true
    /// Longest time between two looks, in seconds, while nothing happens.
    var lookInterval = 0.25

    /// - Parameters:
    ///   - lead: Seconds before its time at which the output needs sound.
    ///   - isDriven: Whether the player is a driver with its queue instead of the bare engine.
    init(
        _ output: Output = .local, endAction: PlayerEngine.EndAction = .pause, lateness: Duration = .zero,
        lead: Double = 0, isDriven: Bool = false
    ) {
        self.output = output
        book = NoteBook(world)
        route = Self.route(output, world, lead: lead)
        if isDriven {
            let alarm = VirtualAlarm(world, lateness: lateness)
            let driver = PlayerDriver(
                renderQueue: RenderQueue(route: route), endAction: endAction, alarm: alarm,
                machine: SystemMachine(clock: world))
            alarm.call(on: driver.queue)
            player = driver
        } else {
            player = EnginePlayer(world, route: route, endAction: endAction, lateness: lateness)
        }
        contract = Contract(output: Self.depth(of: output), lateness: lateness.inSeconds)
        book.follow(player)
    }

    static func depth(of output: Output) -> SimulatedRoute.Depth {
        switch output {
        case .local: SimulatedRoute.Depth(startDelay: 0.1)
        case .tiny: SimulatedRoute.Depth(high: 0.4, low: 0.2, sufficient: 0.2, margin: 0.1)
        case .speaker: SimulatedRoute.Depth(high: 180, low: 179, sufficient: 0.9, startDelay: 0.4, margin: 1)
        case .silent: SimulatedRoute.Depth(high: SilentRoute.highMark, low: SilentRoute.lowMark)
        }
    }

    private static func route(_ output: Output, _ world: VirtualWorld, lead: Double) -> any OutputRoute {
        if output == .silent {
            return SilentRoute(clock: world, alarm: VirtualAlarm(world), leastLead: lead)
        }
        var depth = depth(of: output)
        let lead = output == .tiny ? lead / 4 : lead
        // An output never starts sooner than its lead.
        (depth.lead, depth.startDelay) = (lead, max(lead, depth.startDelay))
        return SimulatedRoute(world, depth)
    }

    var notes: [Note] { book.all }

    // MARK: Calls of the program

    func item(_ name: String, _ server: SimulatedServer) -> SimulatedItem {
        let one = SimulatedItem(name, server, world)
        items.append(one)
        book.follow(one.item, as: name)
        if server.duration == nil { contract.liveNames.insert(name) }
        return one
    }

    func forget(_ one: SimulatedItem) {
        items.removeAll { $0 === one }
        book.forget(one.item)
    }

    func add(_ name: String, _ server: SimulatedServer, after place: PlayerItem? = nil) -> SimulatedItem {
        let one = item(name, server)
        ask(.edit) { player.insert(one.item, after: place) }
        return one
    }

    /// Makes a call of the program, and checks the player at once and after it has reacted.
    func ask(_ what: Contract.Asked, _ body: () -> Void) {
        contract.isAsked(what, before: look())
        if isBursting { return body() }
        // The player reacts after the first look.
        player.suspend()
        body()
        observe()
        player.resume()
        settle()
        observe()
    }

    /// Makes all calls in `body` before the player reacts.
    func burst(_ body: () -> Void) {
        player.suspend()
        isBursting = true
        body()
        isBursting = false
        player.resume()
        settle()
        observe()
    }

    func setRate(_ rate: Float) { ask(.rate(rate)) { player.setRate(rate) } }

    func playImmediately(_ rate: Float) { ask(.immediately(rate)) { player.playImmediately(rate) } }

    func setWaits(_ waits: Bool) { ask(.waits(waits)) { player.setAutomaticallyWaits(waits) } }

    func seek(to seconds: Double, _ completion: @escaping @Sendable (Bool) -> Void = { _ in }) {
        ask(.seek(seconds)) {
            player.seek(to: CMTime(seconds: seconds, preferredTimescale: 8000), completion: completion)
        }
    }

    /// Runs the world until its second `end`.
    func run(until end: Double) {
        var next = world.seconds
        repeat {
            next = min(end, next + lookInterval)
            runEvents(until: next)
        } while next < end
    }

    private func runEvents(until end: Double) {
        var (last, count) = (world.seconds, 0)
        while world.step(until: end) {
            (last, count) = (world.seconds, world.seconds > last ? 0 : count + 1)
            if count > Self.mostAtOnce { return contract.complainSurely("never comes to rest", look()) }
            settle()
            observe()
        }
        settle()
        observe()
    }

    /// Lets the player do all pending work at the current instant.
    func settle() { if !player.finishWork() { contract.complainSurely("work without an end", look()) } }

    /// Upper bound for the events at one instant.
    private static let mostAtOnce = 5000

    // MARK: Observation

    func look() -> Seen {
        let state = player.state
        let item = player.currentItem
        let one = items.first { $0.item === item }
        let machine = state.machine
        return Seen(
            at: world.seconds, rate: Double(machine.rate), control: machine.control, reason: machine.reason,
            playerStatus: state.status, name: one?.name, itemTime: player.currentTime.seconds,
            seekTarget: state.seeking.pending?.target.seconds, item: item?.state,
            wish: item?.wishes.forwardBufferDuration ?? 0,
            feed: one?.feed.flatMap { $0.isClosed ? nil : $0.state }, server: one?.server,
            isRunning: player.timeline.isRunning, startedRate: Double(player.timeline.startedRate),
            lost: (route as? SimulatedRoute)?.lostSeconds ?? 0,
            isMute: (route as? SimulatedRoute)?.isMute ?? false,
            endAction: state.endAction)
    }

    private func observe() {
        let new = book.since(checked)
        checked += new.count
        if !keepsNotes {
            book.forgetAll()
            checked = 0
        }
        contract.observe(look(), new)
    }

    var complaints: [String] { contract.complaints }
}
