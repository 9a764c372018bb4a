import AirPlayMessages
import AirPlaySender
import TuttiMediaTime

/// A player of a ``PacketRoute``'s packets: a group of speakers, or a device of this machine.
///
/// Reads packets from ``store`` as they arrive. Commands return at once and run in call order. Frames are
/// those of the packets' format, on the route's timeline.
protocol PacketOutput: AnyObject, Sendable {
    var store: PacketStore { get }
    /// Bytes of packets worth buffering ahead; `nil` while unknown.
    var largestBuffer: Int? { get async }
    /// Returns the known capabilities, once each speaker has answered or failed, or after `patience`.
    ///
    /// - Throws: The reason, if nothing can ever be heard.
    func prepare(patience: Duration) async throws -> PacketOutputTraits
    /// Sets the format of the following packets.
    func setFormat(_ format: AudioWireFormat)
    /// Makes `frame` heard at `host`, or as soon as possible if that is `nil`; calls `started` with the host
    /// time, unless a later start or stop comes first.
    func start(at frame: Int64, host: HostTime?, started: @escaping @Sendable (HostTime) -> Void)
    /// Silences the output; a resume begins with `frame`.
    func stop(at frame: Int64)
    /// Drops sound that was read from the store, which was emptied.
    func clear()
    /// Resends the running line after ``clear()`` without a stop, because the store has sound again.
    func anchorAgain()
    /// Withdraws `frame`, the first of a packet, and all later sound while playback continues.
    ///
    /// - Parameter answer: Called once, on any thread; false, with nothing changed, if it is too late. After
    ///   true, the caller changes the store and calls ``resume(from:)``, unless it has called ``clear()``
    ///   meanwhile.
    func cut(at frame: Int64, answer: @escaping @Sendable (Bool) -> Void)
    /// Resumes after ``cut(at:answer:)``, with the packets from `frame` on.
    func resume(from frame: Int64)
    /// Scales the audible sound by 0 ... 1 from now on.
    ///
    /// - Returns: `false` if the caller must scale the samples of future packets instead.
    func setGain(_ gain: Float) -> Bool
    func setTracks(_ tracks: [ScheduledTrack])
    /// Ends playback permanently.
    func end()
    /// Stops waiting for an output that cannot be opened yet, because no client wants it.
    func abandonOpening()
    /// The time before it is heard at which live sound must come; `nil` while unknown.
    var liveLatency: Duration? { get async }
}

extension PacketOutput {
    func abandonOpening() {}
}

extension SpeakerGroup: PacketOutput {
    func prepare(patience: Duration) async throws -> PacketOutputTraits {
        let receivers = await receivers(patience: patience)
        return PacketOutputTraits(receivers: receivers, onlyFormat: realtimeFormat, playsALAC: playsALAC)
    }

    /// Returns false: the pipeline scales the samples before encoding.
    nonisolated func setGain(_ gain: Float) -> Bool { false }

    /// Does nothing: the group outlives its routes.
    nonisolated func end() {}
}
