import AirPlayMessages
import AirPlaySender
import MediaTime

/// What a ``PacketRoute`` needs of whoever plays its packets: a group of speakers, or a device of this machine.
///
/// Reads packets from ``store`` as they come. Commands return at once and are carried out in the order of the calls.
/// Frames are those of the packets' format, on the route's timeline.
protocol PacketOutput: AnyObject, Sendable {
    var store: PacketStore { get }
    /// Bytes of packets worth keeping ahead; `nil` while that is not known.
    var largestBuffer: Int? { get async }
    /// What is known of those who play, once each has told or failed to, or `patience` is over.
    ///
    /// - Throws: when nothing can ever be heard; the error says why.
    func prepare(patience: Duration) async throws -> PacketOutputTraits
    /// What the next packets are.
    func setFormat(_ format: AudioWireFormat)
    /// Makes `frame` heard at `host`, or as soon as possible; `started` is told the instant.
    func start(at frame: Int64, host: HostTime?, started: @escaping @Sendable (HostTime) -> Void)
    /// Silence; `frame` is where a resume will begin.
    func stop(at frame: Int64)
    /// The store was emptied: what was read from it is dropped.
    func clear()
    /// After ``clear()`` without a stop: the store has sound again for the line that is still running.
    func anchorAgain()
    /// Takes `frame`, the first of a packet, and what follows back while playing goes on.
    ///
    /// - Parameter answer: called once, on any thread: false, and nothing has changed, when it is too late for that.
    ///   After true the caller changes the store and calls ``goOn(from:)``, or has called ``clear()`` meanwhile.
    func cut(at frame: Int64, answer: @escaping @Sendable (Bool) -> Void)
    func goOn(from frame: Int64)
    /// Scales what is heard, 0 ... 1, from now on.
    ///
    /// - Returns: false where the samples of packets yet to come must be scaled instead.
    func setGain(_ gain: Float) -> Bool
    func setTracks(_ tracks: [ScheduledTrack])
    /// Nothing more is played.
    func end()
    /// Nobody waits any more for an output that cannot be opened yet.
    func abandonOpening()
}

extension PacketOutput {
    func abandonOpening() {}
}

/// What decides the form of the packets.
struct PacketOutputTraits: Sendable {
    var receivers: [ReceiverDescription] = []
    /// The rate of a device of this machine, which takes samples.
    var deviceRate: SampleRate?
}

extension SpeakerGroup: PacketOutput {
    func prepare(patience: Duration) async throws -> PacketOutputTraits {
        PacketOutputTraits(receivers: await receivers(patience: patience))
    }

    /// The samples are scaled before they are encoded.
    nonisolated func setGain(_ gain: Float) -> Bool { false }

    /// The group outlives its routes.
    nonisolated func end() {}
}
