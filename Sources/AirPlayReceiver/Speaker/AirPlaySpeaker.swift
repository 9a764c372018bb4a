public import AirPlayMessages
internal import ClockService
internal import MediaTime
internal import Synchronization
public import SystemIO

/// An AirPlay 2 speaker: listens for senders and gives their sound to sinks.
///
/// Advertising is not its business: do it when ``start()`` has told the port. All functions may be called from
/// any thread, and none waits.
public final class AirPlaySpeaker: Sendable {
    /// How things stand.
    public struct Status: Sendable {
        /// `nil` while nobody has a session.
        public var sender: SenderDescription?
        /// `nil` without a stream.
        public var stream: StreamStatus?
        public var volume: Volume
        /// Control connections, strangers included.
        public var connectionCount: Int
        /// Packets that could not be read.
        public var unusablePackets: Int
        /// Time since the last sound arrived; `nil` without a stream.
        public var silence: Duration?
    }

    /// What happens, in order. One reader; who does not read loses the oldest.
    public let events: AsyncStream<SpeakerEvent>
    private let server: ReceiverServer
    private let emit: AsyncStream<SpeakerEvent>.Continuation

    /// Events that wait for their reader. A picture has up to 2 MiB.
    private static let eventLimit = 64

    /// - Parameters:
    ///   - clock: Knows the clocks of senders; one for all speakers of a machine.
    ///   - makeSink: Called once for each stream, from any thread; the stream's whole limit in bytes is the room
    ///     of a new sink.
    ///   - makePairing: Called once for each connection. `nil` is transient pairing with the configuration's
    ///     password.
    ///   - makeTimingSource: For senders without PTP; `nil` refuses nothing, but such a stream is never heard.
    ///   - setPreventsPlayback: Tells a sender that takes remote commands that it has lost the speaker to another, and
    ///     when it is free again; from any thread.
    public init(
        configuration: SpeakerConfiguration, identity: any SpeakerIdentifying, clock: any SpeakerClock,
        makeSink: @escaping @Sendable (StreamDescription) -> any StreamSink,
        makePairing: (@Sendable (SocketAddress) -> any PairingService)? = nil,
        makeTimingSource: (@Sendable (_ peer: SocketAddress, _ local: IPAddress) -> (any TimingSource)?)? =
            nil,
        setPreventsPlayback: (@Sendable (SenderRemote, Bool) -> Void)? = nil
    ) {
        let (events, emit) = AsyncStream.makeStream(
            of: SpeakerEvent.self, bufferingPolicy: .bufferingNewest(Self.eventLimit))
        (self.events, self.emit) = (events, emit)
        let password = configuration.password
        server = ReceiverServer(
            ReceiverServer.Parts(
                configuration: configuration, identity: identity, clock: clock, makeSink: makeSink,
                makePairing: makePairing ?? { _ in TransientPairing(password: password) },
                makeTimingSource: makeTimingSource ?? { _, _ in nil },
                setPreventsPlayback: setPreventsPlayback ?? { _, _ in }),
            emit: { emit.yield($0) })
    }

    deinit {
        server.close()
        emit.finish()
    }

    /// Begins to listen.
    ///
    /// - Returns: The port to be advertised.
    @discardableResult
    public func start() throws(SystemError) -> UInt16 { try server.start() }

    /// Ends sessions and listening. Senders see their connections closed.
    public func close() async {
        server.close()
        emit.finish()
    }

    public var status: Status {
        let sound = server.sound
        return Status(
            sender: server.sender, stream: sound?.status, volume: server.volume,
            connectionCount: server.connectionCount, unusablePackets: sound?.unusableCount ?? 0,
            silence: sound.map { server.clock.now.since($0.lastBytes) })
    }

    /// The volume of this speaker from its own side; the sender is told.
    public func setVolume(_ volume: Volume) { server.setVolume(volume) }

    /// A button of this speaker; the sender decides what it does.
    public func press(_ command: MediaRemoteCommand) { server.press(command) }
}
