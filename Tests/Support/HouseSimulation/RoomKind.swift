import AirPlayReceiver
import AirPlaySender
import TuttiSeeds

/// The way in which a room gets its sound, and its clock.
package enum RoomKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// AirPlay 2, minutes ahead, PTP.
    case buffered
    /// AirPlay 2, with little memory: some ten seconds ahead, PTP.
    case shallow
    /// AirPlay 2, two seconds ahead, PTP.
    case realtime
    /// AirPlay 2, two seconds ahead, NTP.
    case realtimeNTP
    /// AirPlay 1: two seconds ahead, NTP.
    case airPlay1

    /// Draws the kinds of rooms: all buffered for half of the seeds.
    static func drawn(from seed: UInt64, rooms: Int) -> [RoomKind] {
        var random = SeededGenerator(seed: seed &* 0xC2B2_AE35 &+ 5)
        if Bool.random(using: &random) { return Array(repeating: .buffered, count: rooms) }
        return (0..<rooms).map { _ in allCases.randomElement(using: &random) ?? .buffered }
    }

    /// Whether the speaker holds two seconds only, so that faults may be heard.
    package var isRealtime: Bool { self != .buffered && self != .shallow }

    /// Nanoseconds after a fault in which the clock settles: NTP asks every three seconds, and one answer does not tell
    /// quick ones from wrong ones.
    var clockSettling: Int64 {
        switch self {
        case .buffered, .shallow, .realtime: 3_000_000_000
        case .realtimeNTP, .airPlay1: 7_000_000_000
        }
    }

    /// Nanoseconds for which the speaker surely plays on without a network, once it is filled.
    var reserve: Int64 {
        switch self {
        case .buffered: .max
        case .shallow: 8_000_000_000
        case .realtime, .realtimeNTP, .airPlay1: 0
        }
    }

    /// The bytes of sound that the speaker holds.
    ///
    /// - Parameter isCompressed: Whether sound comes compressed; the stamped sound becomes a fifth as long.
    func bufferBytes(isCompressed: Bool) -> Int {
        self == .shallow ? isCompressed ? 400_000 : 2_000_000 : PlayoutConfiguration.defaultBufferBytes
    }

    /// Microseconds that a settled room may be off its line beside the noise of the others' clocks: a clock over NTP is not
    /// known more exactly than by the path delay, and sound is left as it is within that.
    var tolerance: Double {
        switch self {
        case .buffered, .shallow, .realtime: 0
        case .realtimeNTP, .airPlay1: 350
        }
    }

    /// The choice of a sender's user.
    var override: SessionChoice.Override {
        switch self {
        case .buffered, .shallow: SessionChoice.Override(stream: .buffered)
        case .realtime: SessionChoice.Override(stream: .realtime, clock: .ptp)
        case .realtimeNTP: SessionChoice.Override(stream: .realtime, clock: .ntp)
        case .airPlay1: SessionChoice.Override(stream: .airPlay1)
        }
    }
}
