import Codecs
import CoreMedia
import MediaTime
import Synchronization
import SystemIO
import TestSupport

@testable import Playback

/// Calls nobody: turns are taken by hand.
struct SilentAlarm: WakeUp {
    func set(after pause: Duration, _ body: @escaping @Sendable () -> Void) {}
    func cancel() {}
}

/// A player on a silent output and a clock that a test moves, with items of scripted sources.
final class PlayerStage: Sendable {
    let clock = ManualClock()
    let core: PlayerDriver
    /// What was told, in its order: properties of the player, and notices of items after their names.
    let notes = Recorder<[String]>([])

    /// - Parameter route: on this clock; silent if none is given.
    init(
        endAction: PlayerEngine.EndAction = .advance,
        route: (ManualClock) -> any OutputRoute = { SilentRoute(clock: $0) }
    ) {
        let route = route(clock)
        core = PlayerDriver(
            renderQueue: RenderQueue(route: route), endAction: endAction, clock: clock, alarm: SilentAlarm())
        var events = PlayerDriver.Events()
        let notes = notes
        events.change = { properties, change in
            change()
            for property in properties where property != .items {
                notes.update { $0.append(property.rawValue) }
            }
        }
        events.editWasLate = { notes.update { $0.append("late") } }
        core.setEvents(events)
    }

    /// An item whose source a test moves.
    func item(
        _ name: String, seconds: Double, isSeekable: Bool = true
    ) -> (item: PlayerItem, feed: ScriptedFeed) {
        let feed = ScriptedFeed(seconds: seconds, isSeekable: isSeekable)
        let item = PlayerItem { feed }
        item.setEvents(events(of: name))
        return (item, feed)
    }

    /// An item that is all there, each time it is opened.
    func item(_ name: String, whole seconds: Double) -> PlayerItem {
        let item = PlayerItem {
            let feed = ScriptedFeed(seconds: seconds)
            feed.open(isRemote: false)
            feed.arrive(until: seconds)
            return feed
        }
        item.setEvents(events(of: name))
        return item
    }

    private func events(of name: String) -> PlayerItem.Events {
        var events = PlayerItem.Events()
        let notes = notes
        events.post = { notice in
            let text =
                switch notice {
                case .playedToEnd: "end"
                case .failedToPlayToEnd: "failed"
                case .stalled: "stalled"
                case .timeJumped: "jumped"
                case .transferBegan, .transferFailed: "transfer"
                }
            notes.update { $0.append("\(name) \(text)") }
        }
        return events
    }

    /// An item that is queued, whose source is open, and of which so much has come.
    func queue(
        _ name: String, seconds: Double, arrived: Double, isSeekable: Bool = true
    ) -> (item: PlayerItem, feed: ScriptedFeed) {
        let one = item(name, seconds: seconds, isSeekable: isSeekable)
        core.insert(one.item, after: nil)
        one.feed.open()
        one.feed.arrive(until: arrived)
        return one
    }

    /// Whole items, one behind the other, that play.
    func play(_ items: PlayerItem...) {
        for item in items { core.insert(item, after: nil) }
        core.setRate(1)
        settle()
    }

    /// An item that is the current one and plays.
    func play(
        _ name: String, seconds: Double, isSeekable: Bool = true
    ) -> (item: PlayerItem, feed: ScriptedFeed) {
        let one = queue(name, seconds: seconds, arrived: seconds, isSeekable: isSeekable)
        core.setRate(1)
        settle()
        return one
    }

    /// Lets time pass in steps, as the alarm would.
    func pass(_ seconds: Double) {
        for _ in 0..<Int(seconds * 20 + 0.5) {
            clock.advance(by: .milliseconds(50))
            // What the route's own timer would say.
            core.renderQueue.routeMayTakeMore()
            core.settle()
        }
    }

    func settle() { for _ in 0..<8 { core.settle() } }

    /// Until the outputs have answered an edit, which comes on another thread.
    func settleEdit() async {
        settle()
        while core.queue.sync(execute: { core.engine.plan.outputs.isSplicing }) { await Task.yield() }
        settle()
    }

    var time: Double { core.currentTime.seconds }

    /// The time until the player wakes by itself; `nil` if only events matter.
    var due: Duration? { core.engine.deadline.map { $0.since(clock.now) } }
}
