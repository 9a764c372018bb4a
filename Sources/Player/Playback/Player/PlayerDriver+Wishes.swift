import CoreMedia
import TuttiMediaTime
import TuttiSystemIO

// The wishes of a program. Any thread.
extension PlayerDriver {
    /// The current host time on the player's clock.
    package var now: HostTime { clock.now }

    /// The engine, for tests.
    var engine: PlayerEngine { shared.engine }
    /// The engine's observable state.
    var state: PlayerState { shared.withEngine(\.state) }

    /// The queued items, the current one first.
    package var items: [PlayerItem] { shared.items }
    /// The first item of the queue.
    package var currentItem: PlayerItem? { shared.current.item }
    /// A snapshot of the transport state.
    package var machine: TransportMachine { shared.withEngine(\.state.machine) }
    /// Whether the player can play.
    package var status: PlayerEngine.Status { shared.withEngine(\.state.status) }
    /// The error if ``status`` is `failed`.
    package var error: (any Error)? { state.error }
    /// The audible time of the current item, or the target of a pending seek; 0 without an item.
    package var currentTime: CMTime { state.currentTime(timeline.currentTime) }
    /// The start of the current run of sound, in the current item's time; `nil` while nothing is heard.
    package var start: (time: CMTime, host: HostTime)? {
        let state = state
        guard state.pendingTime == nil, let start = timeline.start else { return nil }
        let now = timeline.currentTime
        return (max(.zero, state.currentTime(now) - (now - start.time)), start.host)
    }

    /// The action at the end of an item.
    package var endAction: PlayerEngine.EndAction {
        get { state.endAction }
        set { wish { $0.endAction = newValue } }
    }

    // MARK: Transport

    /// Sets the requested rate; 0 pauses.
    package func setRate(_ rate: Float) { wish { $0.setRate(TransportMachine.playable(rate), at: nil) } }

    /// Starts with the sound at hand, without waiting for more.
    package func playImmediately(_ rate: Float) {
        wish { $0.playImmediately(TransportMachine.playable(rate)) }
    }

    /// Sets whether a start waits until playback is likely to keep up.
    package func setAutomaticallyWaits(_ waits: Bool) {
        wish { $0.transport { $0.setAutomaticallyWaits(waits) } }
    }

    /// Pauses, because another player took the outputs or the machine's sound was interrupted.
    package func interrupt() { wish { $0.transport(because: .interrupted) { $0.pause() } } }

    /// Starts so that item time `time` is heard at host time `host`.
    package func setRate(_ rate: Float, time: CMTime, host: HostTime?) {
        if time.isNumeric { seek(to: time) { _ in } }
        wish { $0.setRate(TransportMachine.playable(rate), at: host) }
    }

    // MARK: Items

    /// Inserts an item behind `place`, or at the end of the queue if `place` is `nil`.
    ///
    /// - Returns: `false`, and nothing changes, if the item belongs to a player already or `place` is not in
    ///   the queue.
    @discardableResult
    package func insert(_ item: PlayerItem, after place: PlayerItem?) -> Bool {
        let isHere = place.map { state.index(of: $0.id) != nil } ?? true
        guard isHere, item.adopt(by: self) else { return false }
        item.beginAnew()
        shared.add(item)
        wish { $0.insert(item.queued, after: place?.id) }
        return true
    }

    /// Removes an item; an item that is re-inserted resumes where it left off.
    package func remove(_ item: PlayerItem) {
        let time = timeline.currentTime
        wish { $0.remove(item.id, time) }
    }

    /// Empties the queue.
    package func removeAllItems() {
        let time = timeline.currentTime
        wish { $0.removeAll(time) }
    }

    /// Replaces the current item; `nil` only removes it.
    ///
    /// - Returns: `false`, and nothing changes, if the item belongs to a player already.
    @discardableResult
    package func replaceCurrentItem(with item: PlayerItem?) -> Bool {
        if item === currentItem { return true }
        let time = timeline.currentTime
        guard let item else {
            wish { $0.replaceFirst(with: nil, time) }
            return true
        }
        guard item.adopt(by: self) else { return false }
        item.beginAnew()
        shared.add(item)
        wish { $0.replaceFirst(with: item.queued, time) }
        return true
    }

    /// Takes an item's settings and its start time over from the item.
    package func settingsChanged(of item: PlayerItem) {
        input { engine in
            engine.wish { state in
                state.withItem(item.id) { ($0.wishes, $0.startTime) = (item.wishes, item.startTime) }
            }
        }
    }

    /// Removes the current item, so that the next item plays.
    package func advanceToNextItem() { if let item = currentItem { remove(item) } }

    // MARK: Seeks and prerolls

    /// Continues at item time `time`, exactly. Calls `completion` on the main queue; a later seek or another
    /// item completes this seek with `false`.
    package func seek(to time: CMTime, completion: @escaping @Sendable (Bool) -> Void) {
        _ = seek(to: time, of: nil, completion: completion)
    }

    /// Continues at item time `time` if `item` is the current item, or `nil`.
    ///
    /// - Returns: `false`, and nothing happens, if `item` is not the current item.
    package func seek(
        to time: CMTime, of item: PlayerItem?, completion: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        if let item, item !== currentItem { return false }
        let (request, now) = (shared.add(completion), now)
        wish { $0.seek(to: time, of: item?.id, request, at: now) }
        return true
    }

    /// Completes the pending seek with `false`.
    package func cancelPendingSeeks() { wish { $0.cancelSeek() } }

    /// Calls `completion` on the main queue with `true` once a start would be heard at once, or with `false`
    /// if the preroll is cancelled or the queue is empty.
    package func preroll(_ completion: @escaping @Sendable (Bool) -> Void) {
        let request = shared.add(completion)
        wish { $0.preroll(request) }
    }

    /// Completes the pending preroll with `false`.
    package func cancelPreroll() { wish { $0.cancelPreroll() } }

    // MARK: Observers

    /// Calls `body` on `queue` at each multiple of `interval` in item time, and when time jumps, starts or
    /// stops.
    ///
    /// - Returns: A token for ``removeObserver(_:)``.
    package func addPeriodicObserver(
        every interval: CMTime, queue: SerialQueue, body: @escaping @Sendable (CMTime) -> Void
    ) -> Int {
        observers.add(.periodic(interval: interval, body: body), on: queue, clock: clock)
    }

    /// Calls `body` on `queue` whenever playback crosses one of `times`, in item time.
    ///
    /// - Returns: A token for ``removeObserver(_:)``.
    package func addBoundaryObserver(
        at times: [CMTime], queue: SerialQueue, body: @escaping @Sendable () -> Void
    ) -> Int {
        observers.add(
            .boundary(times: times.filter(\.isNumeric).sorted(), body: body), on: queue, clock: clock)
    }

    /// Removes an observer.
    package func removeObserver(_ token: Int) { observers.remove(token) }
}
