public import AirPlayMessages
public import ClockService
public import MediaTime

/// One packet of a stream, decrypted and still encoded.
public struct ReceivedPacket: Hashable, Sendable {
    /// 23 bits on a buffered stream, 16 on a realtime one.
    public var sequenceNumber: UInt32
    /// Of its first frame.
    public var rtpTime: RTPTime
    public var format: AudioWireFormat
    public var payload: [UInt8]

    public init(sequenceNumber: UInt32, rtpTime: RTPTime, format: AudioWireFormat, payload: [UInt8]) {
        self.sequenceNumber = sequenceNumber
        self.rtpTime = rtpTime
        self.format = format
        self.payload = payload
    }

    /// What the packet takes of the buffer: its size on the wire, framing included.
    public var byteCount: Int { payload.count + 38 }
}

/// What a session gives the sound of one stream to. All functions may be called from any thread; none waits.
public protocol StreamSink: AnyObject, Sendable {
    /// Bytes of packets that may still be appended: the limit less what is held. 0 when full.
    var room: Int { get }
    /// Takes a packet. Beyond ``room`` it is refused and counted.
    func append(_ packet: ReceivedPacket)
    /// Calls `handler` once, on a queue of the sink's, when at least `bytes` are free; at once when they are.
    func notify(whenRoomFor bytes: Int, _ handler: @escaping @Sendable () -> Void)
    /// Plays along the line through `anchor` on this clock, from its instant on; held until the clock is known.
    func play(along anchor: Anchor, on timeline: ClockIdentity)
    /// As ``play(along:on:)``, if the frame at the instant of `anchor` can be heard.
    ///
    /// - Returns: by how much the instant is too early for that, and nothing plays; else `nil`, also when nobody knows.
    func playWhole(along anchor: Anchor, on timeline: ClockIdentity) -> Duration?
    /// Silence within a period of the output; nothing is lost.
    func pause()
    /// Forgets packets, at once or between two points while it plays.
    func flush(_ flush: FlushBuffered)
    /// For realtime streams: forgets what comes before `rtpTime`.
    func flush(before rtpTime: RTPTime)
    func setVolume(_ volume: Volume)
    /// Nothing more comes and nothing is heard any more. The last call.
    func end()
    /// For `/feedback`, `--json` and the terminal.
    var status: StreamStatus { get }
}

/// What a stream is doing.
public struct StreamStatus: Hashable, Sendable {
    public var isPlaying = false
    /// The rate of what is being heard; `nil` before the first packet was decoded.
    public var sampleRate: SampleRate?
    /// From the frame being heard to the end of what is there without a hole.
    public var bufferedSeconds = 0.0
    public var heldBytes = 0
    /// RTP time of the frame that is being heard.
    public var playhead: RTPTime?
    /// Frames that were silent because their packet came late or never.
    public var missingFrames: Int64 = 0
    /// Times that sound ran out while playing.
    public var underrunCount = 0
    /// Packets beyond the room, late, or doubled.
    public var refusedPackets = 0
    /// Distance of what is heard from where the line wants it, seconds, positive when late.
    public var error = 0.0
    /// How much the output's clock runs faster than the sender's, in millionths.
    public var drift = 0.0

    public init() {}
}

/// The clocks of senders, as streams need them. ``ClockService`` is one.
public protocol ReceiverClock: Sendable {
    /// `nil` until the clock of this identity has been measured.
    func mapping(of identity: ClockIdentity) -> ClockMapping?
}
