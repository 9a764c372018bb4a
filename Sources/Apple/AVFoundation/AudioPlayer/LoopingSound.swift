import Foundation
import Playback
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO

/// A sound that plays once or repeats without a gap, the engine of ``AVAudioPlayer``.
///
/// The driver's queue has a copy of the sound for each repetition, some seconds ahead, so that repetitions join as the
/// items of a queue do. Any thread.
final class LoopingSound: Sendable {
    /// The reason for an end that the program has not asked for.
    enum End {
        /// The last repetition was heard to its end.
        case finished
        /// The sound cannot be read or rendered any more.
        case failed(any Error)
        /// Another player took the outputs, or they are gone.
        case interrupted
    }

    private struct State {
        /// Distinguishes the items of this run from those of earlier ones, whose events are void.
        var run = 0
        /// Whether repetitions are to be queued: from the preparation to a stop, a failure or the end.
        var isOpen = false
        /// Number of items that this run has put into the queue, heard or not.
        var queuedCount = 0
        /// Number of repetitions; negative for endless ones.
        var loopCount = 0
        /// Item time at which the run begins, or the next one if it is over.
        var place = CMTime.zero
        /// Whether the run has not begun to play: the timeline may not stand at ``place`` yet.
        var isFresh = false
        var mix = ItemMix()
        var ended: @Sendable (End) -> Void = { _ in }

        /// Whether ``place`` is the time to show.
        var isStanding: Bool { queuedCount == 0 || isFresh }

        /// Ends this run and voids the events of its items.
        ///
        /// - Parameter isOpen: Whether another run begins.
        mutating func renew(at place: CMTime, isOpen: Bool) {
            run += 1
            (queuedCount, self.place, self.isOpen, isFresh) = (0, place, isOpen, isOpen)
        }
    }

    /// Seconds of sound to have in the queue.
    private static let secondsAhead = 8.0

    let driver: PlayerDriver
    private let path: String
    private let duration: CMTime
    private let copyCount: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: The path of the file.
    ///   - duration: The length of the sound.
    init(path: String, duration: CMTime, driver: PlayerDriver) {
        (self.path, self.duration, self.driver) = (path, duration, driver)
        let seconds = duration.isNumeric ? max(duration.seconds, 0.01) : Self.secondsAhead
        copyCount = min(64, 2 + Int((Self.secondsAhead / seconds).rounded(.up)))
        var events = PlayerDriver.Events()
        events.change = { [weak self] properties, change in
            change()
            if properties.contains(.timeControlStatus) { self?.noteStart() }
            if properties.contains(.currentItem) { self?.fill() }
        }
        events.rateDidChange = { [weak self] reason in
            if case .interrupted = reason { self?.tell(.interrupted) }
        }
        driver.setEvents(events)
    }

    /// Sets the recipient of ends, called on any thread.
    func setEnded(_ body: @escaping @Sendable (End) -> Void) {
        _ = state.withLock { state in
            defer { state.ended = body }
            return state.ended
        }
    }

    private func tell(_ end: End) { state.withLock { $0.ended }(end) }

    // MARK: Transport

    /// Whether the sound plays or is about to.
    var isPlaying: Bool { state.withLock { $0.queuedCount } > 0 && driver.machine.rate != 0 }

    /// Queues the sound, so that the outputs can be filled.
    func prepare() {
        // Without an item, the last repetition has just ended, and the end is still being told.
        let isEmpty = driver.currentItem == nil
        state.withLock { state in
            guard isEmpty || !state.isOpen else { return }
            state.renew(at: state.isOpen ? .zero : state.place, isOpen: true)
        }
        fill()
    }

    /// Starts, or changes the rate.
    ///
    /// - Parameter host: Host time at which the start is to be heard; `nil` for as soon as possible.
    func play(_ rate: Float, at host: HostTime? = nil) {
        prepare()
        driver.setRate(rate, time: .invalid, host: host)
    }

    private func noteStart() {
        if driver.machine.control == .playing { state.withLock { $0.isFresh = false } }
    }

    /// Pauses; the outputs keep their sound.
    func pause() { driver.setRate(0) }

    /// Pauses, and takes the sound from the outputs. The time stays.
    func stop() {
        let place = time
        state.withLock { $0.renew(at: place, isOpen: false) }
        driver.setRate(0)
        driver.removeAllItems()
    }

    /// The audible time in the sound; setting it continues there, exactly.
    var time: CMTime {
        get {
            let place = state.withLock { $0.isStanding ? $0.place : nil }
            return place ?? driver.currentTime
        }
        set {
            let target = min(max(.zero, newValue), duration.isNumeric ? duration : newValue)
            let isQueued = state.withLock { state in
                if state.isStanding { state.place = target }
                return state.queuedCount > 0
            }
            if isQueued { driver.seek(to: target) { _ in } }
        }
    }

    // MARK: Repetitions

    /// Number of repetitions; negative for endless ones. Counts from the beginning of the run.
    var loopCount: Int {
        get { state.withLock { $0.loopCount } }
        set {
            state.withLock { $0.loopCount = newValue }
            guard state.withLock({ $0.queuedCount }) > 0 else { return }
            while let surplus = takeSurplus() { driver.remove(surplus) }
            fill()
        }
    }

    /// Returns the last item of the queue if it is one repetition too many.
    private func takeSurplus() -> PlayerItem? {
        let items = driver.items
        guard items.count > 1 else { return nil }
        return state.withLock { state in
            guard state.loopCount >= 0, state.queuedCount > state.loopCount + 1 else { return nil }
            state.queuedCount -= 1
            return items.last
        }
    }

    /// Queues copies of the sound for the repetitions of the next seconds.
    private func fill() {
        while let item = makeNext() { driver.insert(item, after: nil) }
    }

    /// Returns the next item to queue; `nil` if there are enough, or if none is to be heard.
    private func makeNext() -> PlayerItem? {
        let count = driver.items.count
        let next = state.withLock { state -> (run: Int, place: CMTime, mix: ItemMix)? in
            let isWanted =
                state.queuedCount == 0 || state.loopCount < 0 || state.queuedCount <= state.loopCount
            guard state.isOpen, isWanted, count < copyCount else { return nil }
            state.queuedCount += 1
            return (state.run, state.queuedCount == 1 ? state.place : .zero, state.mix)
        }
        guard let next else { return nil }
        let item = PlayerItem(path: path, engine: .shared, readsArtwork: { false }, machine: SystemMachine())
        item.startTime = next.place
        item.setWishes { $0.mix = next.mix }
        item.setEvents(events(of: item, in: next.run))
        return item
    }

    private func events(of item: PlayerItem, in run: Int) -> PlayerItem.Events {
        var events = PlayerItem.Events()
        events.change = { [weak self, weak item] properties, change in
            change()
            guard properties.contains(.status), let item, item.state.status == .failed else { return }
            self?.fail(item.state.error ?? MediaError.cancelled, in: run)
        }
        events.post = { [weak self] notice in
            switch notice {
            case .playedToEnd: self?.passedEnd(in: run)
            case .failedToPlayToEnd(let error): self?.fail(error, in: run)
            default: break
            }
        }
        return events
    }

    /// Notes the end of a repetition, which is that of the sound if no other one follows.
    private func passedEnd(in run: Int) {
        guard driver.currentItem == nil else { return }
        let isLast = state.withLock { state in
            guard state.run == run, state.loopCount >= 0, state.queuedCount > state.loopCount else {
                return false
            }
            state.renew(at: .zero, isOpen: false)
            return true
        }
        if isLast { tell(.finished) }
    }

    private func fail(_ error: any Error, in run: Int) {
        let place = time
        let isNew = state.withLock { state in
            guard state.run == run else { return false }
            state.renew(at: place, isOpen: false)
            return true
        }
        guard isNew else { return }
        driver.setRate(0)
        driver.removeAllItems()
        tell(.failed(error))
    }

    // MARK: Sound

    /// The volumes of the sound; a change is heard within seconds.
    var mix: ItemMix {
        get { state.withLock { $0.mix } }
        set {
            state.withLock { $0.mix = newValue }
            for item in driver.items { item.setWishes { $0.mix = newValue } }
        }
    }
}
