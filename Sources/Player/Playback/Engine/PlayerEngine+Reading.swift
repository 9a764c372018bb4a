import CoreMedia
import TuttiMediaTime

// Reading anew, for which the outputs give up their sound.
extension PlayerEngine {
    /// Reads and feeds everything again.
    ///
    /// - Parameter place: Item time in the first item; `nil` for the playhead.
    mutating func readAnew(from place: CMTime? = nil) {
        guard let head = schedule.head else { return }
        let place = place ?? min(max(.zero, currentTime - head.start), head.end - head.start)
        buffering.refill.stop()
        if schedule.feed(head).facts?.isLive == true { return beginAnew() }
        schedule.close(from: 1, &state)
        outputs.flush()
        schedule.readAnew(from: place, state.item(head.item))
        hold(at: schedule.items[0].end)
    }

    /// Reopens a live stream, which cannot be read again, at its current sound.
    private mutating func beginAnew() {
        schedule.close(from: 0, &state)
        outputs.flush()
        scheduleHead(state.items.first)
    }

    /// Rebuffers the outputs' sound, hidden from observers for a while. An item that was heard needs none.
    ///
    /// - Returns: Whether there was something to read again.
    @discardableResult
    mutating func refillUnseen() -> Bool {
        guard let head = schedule.head, head.phase != .heard else { return false }
        readAnew()
        if schedule.head != nil { buffering.refill.begin(at: now) }
        return true
    }
}
