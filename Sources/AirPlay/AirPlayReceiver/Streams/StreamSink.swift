import AirPlayMessages
import TuttiClockService
import TuttiMediaTime

/// One packet of a stream, decrypted and still encoded.
package struct ReceivedPacket: Hashable, Sendable {
    /// The sequence number: 23 bits on a buffered stream, 16 on a realtime one.
    package var sequenceNumber: UInt32
    /// RTP time of the first frame.
    package var rtpTime: RTPTime
    /// The format of the payload.
    package var format: AudioWireFormat
    /// The encoded audio.
    package var payload: [UInt8]

    /// Creates a packet from its parts.
    package init(sequenceNumber: UInt32, rtpTime: RTPTime, format: AudioWireFormat, payload: [UInt8]) {
        self.sequenceNumber = sequenceNumber
        self.rtpTime = rtpTime
        self.format = format
        self.payload = payload
    }

    /// Bytes that the packet uses of the buffer: its size on the wire, framing included.
    package var byteCount: Int { payload.count + 38 }
}

/// The destination of one stream's audio. Safe from any thread; no call blocks for longer than a few
/// milliseconds.
package protocol StreamSink: AnyObject, Sendable {
    /// Bytes of packets that may still be appended: the limit less what is held; 0 when full.
    var room: Int { get }
    /// Appends a packet; refuses and counts it beyond ``room``.
    func append(_ packet: ReceivedPacket)
    /// Calls `handler` once, on a private queue, as soon as at least `bytes` are free.
    func notify(whenRoomFor bytes: Int, _ handler: @escaping @Sendable () -> Void)
    /// Plays along the line through `anchor` on this clock, from the anchor's instant on; waits until the
    /// clock is known.
    func play(along anchor: Anchor, on timeline: ClockIdentity)
    /// Plays packets that are appended from now on along the line through `anchor`, if their RTP times leap; packets
    /// before them play out along their own line. Without a leap the same as ``play(along:on:)``.
    func playNext(along anchor: Anchor, on timeline: ClockIdentity)
    /// Plays like ``play(along:on:)``, but only if the frame at the anchor's instant can still be heard.
    ///
    /// - Returns: The lateness if it cannot, and then nothing plays; otherwise `nil`, also if the clock or
    ///   the device time is unknown.
    func playWhole(along anchor: Anchor, on timeline: ClockIdentity) -> Duration?
    /// Silences the output within one of its periods; keeps the packets.
    func pause()
    /// Pauses like ``pause()``.
    ///
    /// - Returns: The RTP time of the first frame that the output does not play; `nil` if that is unknown, or if nothing
    ///   has been played along the line.
    func pauseTellingEnd() -> RTPTime?
    /// Drops packets, at once or between two points during playback.
    func flush(_ flush: FlushBuffered)
    /// Drops packets of a realtime stream before `rtpTime`.
    func flush(before rtpTime: RTPTime)
    /// Sets the volume of this stream.
    func setVolume(_ volume: Volume)
    /// Ends the stream: silences the output and drops all packets. The last call.
    func end()
    /// A snapshot of the stream, for `/feedback`, `--json` and the terminal.
    var status: StreamStatus { get }
}

extension StreamSink {
    /// Does the same as ``play(along:on:)``, for a sink whose packets never leap.
    package func playNext(along anchor: Anchor, on timeline: ClockIdentity) {
        play(along: anchor, on: timeline)
    }

    /// Pauses, for a sink that does not know its end.
    package func pauseTellingEnd() -> RTPTime? {
        pause()
        return nil
    }
}

/// A snapshot of a stream's playback.
package struct StreamStatus: Hashable, Sendable {
    /// Whether the stream plays, rather than pauses.
    package var isPlaying = false
    /// The sample rate heard now; `nil` before the first packet was decoded.
    package var sampleRate: SampleRate?
    /// Seconds of audio from the playhead to the first hole or the end.
    package var bufferedSeconds = 0.0
    /// Bytes of packets not yet played, framing included.
    package var heldBytes = 0
    /// RTP time of the frame heard now.
    package var playhead: RTPTime?
    /// Number of frames played from packets, silent ones included.
    package var playedFrames: Int64 = 0
    /// Number of frames silenced because their packet came late or never.
    package var missingFrames: Int64 = 0
    /// Number of underruns while playing.
    package var underrunCount = 0
    /// Number of packets refused: beyond the room, late, or duplicate.
    package var refusedPackets = 0
    /// Seconds that the audio is off its line; positive when late.
    package var error = 0.0
    /// Drift in ppm; positive if the output's clock runs faster than the sender's.
    package var drift = 0.0

    /// Creates the status of a new stream.
    package init() {}
}

/// The clocks of senders, as streams use them; ``ClockService`` conforms.
package protocol ReceiverClock: Sendable {
    /// Returns the mapping of this clock; `nil` until the clock has been measured.
    func mapping(of identity: ClockIdentity) -> ClockMapping?
}
