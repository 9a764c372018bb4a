import CoreMedia
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

/// A wake-up that never fires: tests reconcile by hand.
struct SilentAlarm: WakeUp {
    func set(after pause: Duration, _ body: @escaping @Sendable () -> Void) {}
    func cancel() {}
}

/// A player on a silent output and a manual clock, with items from scripted sources.
final class PlayerStage: Sendable {
    let clock = ManualClock()
    let core: PlayerDriver
    /// Notifications in order: properties of the player, and notices of items, prefixed with the item names.
    let notes = Recorder<[String]>([])

    /// - Parameter route: Makes the output on the given clock; a silent one by default.
    init(
        endAction: PlayerEngine.EndAction = .advance,
        route: (ManualClock) -> any OutputRoute = { SilentRoute(machine: SystemMachine(clock: $0)) }
    ) {
        let route = route(clock)
        core = PlayerDriver(
            renderQueue: RenderQueue(route: route), endAction: endAction, alarm: SilentAlarm(),
            machine: SystemMachine(clock: clock))
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

    /// Makes an item whose source the test drives.
    func item(
        _ name: String, seconds: Double, isSeekable: Bool = true
    ) -> (item: PlayerItem, feed: ScriptedFeed) {
        let feed = ScriptedFeed(seconds: seconds, isSeekable: isSeekable)
        let item = PlayerItem(machine: SystemMachine()) { feed }
        item.setEvents(events(of: name))
        return (item, feed)
    }

    /// Makes an item whose sound is complete whenever the item is opened.
    func item(_ name: String, whole seconds: Double) -> PlayerItem {
        let item = PlayerItem(machine: SystemMachine()) {
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

    /// Queues an item whose source is open and has delivered sound up to second `arrived`.
    func queue(
        _ name: String, seconds: Double, arrived: Double, isSeekable: Bool = true
    ) -> (item: PlayerItem, feed: ScriptedFeed) {
        let one = item(name, seconds: seconds, isSeekable: isSeekable)
        core.insert(one.item, after: nil)
        one.feed.open()
        one.feed.arrive(until: arrived)
        return one
    }

    /// Queues complete items and plays them in order.
    func play(_ items: PlayerItem...) {
        for item in items { core.insert(item, after: nil) }
        core.setRate(1)
        settle()
    }

    /// Queues an item that has arrived completely, and plays.
    func play(
        _ name: String, seconds: Double, isSeekable: Bool = true
    ) -> (item: PlayerItem, feed: ScriptedFeed) {
        let one = queue(name, seconds: seconds, arrived: seconds, isSeekable: isSeekable)
        core.setRate(1)
        settle()
        return one
    }

    /// Advances time in steps and reconciles after each, as the alarm would.
    func pass(_ seconds: Double) {
        for _ in 0..<Int(seconds * 20 + 0.5) {
            clock.advance(by: .milliseconds(50))
            // In place of the route's own timer.
            core.renderQueue.routeMayTakeMore()
            core.settle()
        }
    }

    func settle() { for _ in 0..<8 { core.settle() } }

    /// Waits until the outputs have answered an edit, on another thread.
    func settleEdit() async {
        settle()
        while core.queue.sync(execute: { core.engine.outputs.isSplicing }) { await Task.yield() }
        settle()
    }

    var time: Double { core.currentTime.seconds }

    /// The time until the player wakes by itself; `nil` if only events matter.
    var due: Duration? { core.engine.deadline.map { $0.since(clock.now) } }
}
