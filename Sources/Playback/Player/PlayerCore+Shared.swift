import Codecs
import CoreMedia

extension PlayerCore.Shared {
    /// Removes an item. An item that is re-inserted resumes where it left off.
    ///
    /// - Parameter now: the current timeline time.
    mutating func take(at index: Int, _ now: CMTime) {
        let item = items.remove(at: index)
        guard index == 0 else { return left.items.append((item, item.startTime)) }
        var place = headStart.map { max(.zero, now - $0) } ?? item.startTime
        if item.end.isNumeric, place >= item.end { place = .zero }
        left.items.append((item, place))
        headBecame(items.first)
    }

    /// Makes `item` the current item; its sound may be in the outputs already. Moves the pending seek and
    /// preroll to ``left``, to be cancelled.
    mutating func headBecame(_ item: PlayerItem?) {
        left.seek = seek ?? left.seek
        left.preroll = preroll ?? left.preroll
        (seek, preroll, headStart, appointment) = (nil, nil, nil, nil)
        guard let item else { return machine.itemBecame(.none, BufferLevels()) }
        let state = item.state
        let now: TransportMachine.Item =
            switch state.status {
            case .readyToPlay: .ready
            case .unknown: .loading
            case .failed: .failed
            }
        machine.itemBecame(now, state.levels, onlyRate: state.facts?.onlyRate)
    }
}
