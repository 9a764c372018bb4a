import AirPlayMessages
import TuttiMediaTime
import TuttiSystemIO

/// The sound of a group in the format of a realtime stream, a few seconds ahead of what is sent.
///
/// A group whose packets have that format already needs none. Not thread-safe; its ``store`` is read like the group's.
struct ConvertedSound {
    /// The distance, in frames, up to which sound is converted ahead of what was sent.
    private static let ahead: Int64 = 4 * 44_100

    /// The converted packets.
    let store: PacketStore
    /// The frames per second of the group's timeline.
    let rate: SampleRate
    private let source: any PacketReading
    private let target: AudioWireFormat
    private var format: RealtimeFormat
    private var nextIndex: Int64 = 0
    /// Whether the last packet of the source has been followed by ``RealtimeFormat/finish(_:)``.
    private var isFinished = false

    /// Begins at a frame of the realtime stream.
    ///
    /// - Parameter target: The format of the stream.
    /// - Throws: An error if no encoder can be opened.
    init(
        of source: any PacketReading, at frame: Int64, rate: SampleRate,
        to target: AudioWireFormat = .alac44100x16, machine: any Machine
    ) throws {
        store = PacketStore(machine: machine)
        (self.source, self.rate, self.target) = (source, rate, target)
        format = try RealtimeFormat(to: target)
        restart(at: frame)
    }

    /// Whether the source has nothing more for now.
    var isDrained: Bool { source.packet(atOrAfter: nextIndex) == nil }

    /// Whether the last frames of the source wait for more, to fill a packet.
    var isWaitingForMore: Bool { isDrained && !isFinished }

    /// Converts anew from a frame of the realtime stream on, because the source has other sound from there.
    ///
    /// - Parameter sentEnd: The end of what was sent, which stays.
    mutating func restart(at frame: Int64, sentEnd: Int64? = nil) {
        let first = max(frame, sentEnd ?? frame)
        // The packet across that frame is made anew from its beginning.
        let removed = store.truncate(at: first)?.frame ?? first
        let begin = max(min(first, removed), sentEnd ?? .min)
        format.restart(at: begin)
        let inGroup = RealtimeFormat.frame(begin, at: target.sampleRate, to: rate)
        nextIndex = source.index(holding: inGroup, leading: RealtimeFormat.primingPackets)
        isFinished = false
    }

    /// Converts up to some seconds beyond `frame`.
    ///
    /// - Parameter isUrgent: Whether the end of the source is about to be heard, so that its last frames must not
    ///   wait for a whole packet.
    mutating func fill(beyond frame: Int64, isUrgent: Bool) {
        let append: RealtimeFormat.Emit = { [store, target] frame, count, payload in
            store.append(frame: frame, frameCount: count, format: target, payload: payload)
        }
        while (store.endFrame ?? .min) < frame + Self.ahead, let packet = source.packet(atOrAfter: nextIndex)
        {
            nextIndex = packet.index + 1
            isFinished = false
            // A packet that cannot be decoded is a gap, which becomes silence.
            try? format.take(packet, append)
        }
        if isUrgent, isDrained, !isFinished {
            isFinished = true
            // The last frames, less than a packet, are a gap too.
            try? format.finish(append)
        }
        store.discard(before: frame - Self.ahead)
    }
}
