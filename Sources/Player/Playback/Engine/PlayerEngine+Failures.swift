import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Failures of items and their sources.
extension PlayerEngine {
    /// Stops at a current item that failed. One step later than the failure, whose observers may replace the
    /// item: then playback continues.
    mutating func stopAtFailedItem() {
        guard let item = state.items.first, item.hasFailed,
            !state.machine.isItemFailed, let head = schedule.head, head.item == item.id,
            state.endAction != .advance || state.items.count == 1
        else { return }
        if outputs.appliedRate != 0 { hold(at: min(currentTime, head.end)) }
        reports.stopLine(of: item.id)
        state.itemHasFailed()
    }

    /// Handles feed errors.
    mutating func noticeErrors() {
        if let error = schedule.failItems(&state, at: currentTime) { failHead(error) }
    }

    /// Fails the first item.
    mutating func failHead(_ error: MediaError) {
        guard let head = schedule.head, let item = state.item(head.item) else { return }
        buffering.refill.stop()
        state.failItem(head.item, error)
        if item.state.status == .readyToPlay || state.machine.rate != 0 {
            reports.post(.failedToPlayToEnd(error), of: head.item)
        }
    }
}
