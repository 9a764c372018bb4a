import AirPlaySender
import Testing
import TuttiHouseSimulation
import TuttiTestSupport

/// Frames of the fade of sound that stops midway.
let fadeFrames = 48

/// Gives commands in a house whose rooms play frame for frame.
func live<Value: Sendable>(
    _ kinds: [RoomKind], _ album: Album, format: SessionChoice.RealtimeFormat? = nil,
    _ commands: @escaping @Sendable (ExactHouse) -> Value
) async throws -> ExactHouse.Record<Value> {
    let result = await LongWork.run { Result { try ExactHouse.live(kinds, album, format: format, commands) } }
    return try result.get()
}

extension ExactHouse.Room {
    /// The frames of the source that were heard, piece by piece.
    var frames: [Range<Int>] { pieces.map { $0.first..<$0.end } }

    /// Whether exactly these frames were heard, each range directly behind the one before it, and nothing else.
    func isSequence(_ ranges: [Range<Int>]) -> Bool {
        let joined = ranges.reduce(into: [Range<Int>]()) { joined, range in
            if let last = joined.last, last.upperBound == range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
        return frames == joined && foreignFrames == 0
            && zip(pieces, pieces.dropFirst()).allSatisfy { $0.endPlace == $1.place }
    }
}
