import CoreMedia
import TuttiMediaTime

@testable import Playback

/// A player in a simulation: the bare engine, or the driver with its queue.
protocol SimulatedPlayer: PlayerItemOwner {
    var timeline: PlaybackTimeline { get }
    var items: [PlayerItem] { get }
    var state: PlayerState { get }
    var engine: PlayerEngine { get }
    var endAction: PlayerEngine.EndAction { get set }

    func setEvents(_ events: PlayerDriver.Events)
    @discardableResult func insert(_ item: PlayerItem, after place: PlayerItem?) -> Bool
    func remove(_ item: PlayerItem)
    func removeAllItems()
    @discardableResult func replaceCurrentItem(with item: PlayerItem?) -> Bool
    func advanceToNextItem()
    func setRate(_ rate: Float)
    func playImmediately(_ rate: Float)
    func setAutomaticallyWaits(_ waits: Bool)
    func interrupt()
    func seek(to time: CMTime, completion: @escaping @Sendable (Bool) -> Void)

    /// Defers the player's own work until ``resume()``.
    func suspend()
    func resume()
    /// Does all pending work at the current instant.
    ///
    /// - Returns: `false` if the work does not end.
    func finishWork() -> Bool
}

extension SimulatedPlayer {
    var machine: TransportMachine { state.machine }
    var status: PlayerEngine.Status { state.status }
}

extension PlayerDriver: SimulatedPlayer {
    func suspend() { queue.dispatchQueue?.suspend() }
    func resume() { queue.dispatchQueue?.resume() }

    /// A snapshot that differs after each piece of work on the player's queue.
    private struct Work: Equatable {
        var isRequesting: Bool
        var isSettled: Bool
        var scheduled: Int
        var end: CMTime?
    }

    private var work: Work {
        queue.sync {}
        let engine = engine
        return Work(
            isRequesting: engine.outputs.isRequesting, isSettled: engine.isSettled,
            scheduled: engine.schedule.items.count, end: engine.schedule.last?.end)
    }

    func finishWork() -> Bool {
        var (quiet, last) = (0, work)
        for _ in 0..<5000 {
            let new = work
            quiet = new == last ? quiet + 1 : 0
            if quiet == 3 { return true }
            last = new
        }
        return false
    }
}
