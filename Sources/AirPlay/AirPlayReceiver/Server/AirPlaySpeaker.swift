import AirPlayMessages
import Synchronization
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// An AirPlay speaker: listens for senders of AirPlay 2 and AirPlay 1, and gives their audio to sinks.
///
/// Does not advertise itself: the caller advertises the port that ``start()`` returns. Safe from any thread;
/// no call blocks.
package final class AirPlaySpeaker: Sendable {
    /// A snapshot of the speaker.
    package struct Status: Sendable {
        /// The sender with a session; `nil` if there is none.
        package var sender: SenderDescription?
        /// Status of the stream; `nil` without one.
        package var stream: StreamStatus?
        /// The current volume.
        package var volume: Volume
        /// Number of control connections, strangers included.
        package var connectionCount: Int
        /// Number of packets of a buffered stream that were unreadable or in an unknown format.
        package var unusablePackets: Int
        /// Time since the last packet arrived; `nil` without a stream.
        package var silence: Duration?
    }

    /// The events in order, for one reader. A slow reader loses the oldest.
    package let events: AsyncStream<SpeakerEvent>
    private let server: ReceiverServer
    private let emit: AsyncStream<SpeakerEvent>.Continuation

    /// Most events buffered for the reader. A picture has up to 2 MiB.
    private static let eventLimit = 64

    /// - Parameters:
    ///   - clock: Resolves the clocks of senders; one for all speakers of a machine.
    ///   - machine: Time, queues and sockets.
    ///   - makeSink: Creates the sink of each stream. Called from any thread. The `room` of a new sink is the
    ///     stream's buffer size in bytes.
    ///   - makePairing: Creates the pairing procedures of each connection. `nil` is transient pairing with
    ///     the configuration's password.
    ///   - makeTimingSource: Creates the clock of a sender without PTP. Returning `nil` refuses AirPlay 1
    ///     senders; the stream of an AirPlay 2 sender stays silent. An error refuses both; a `SystemError` is
    ///     reported as a warning.
    ///   - setPreventsPlayback: Tells a sender with remote commands that it has lost the speaker to another,
    ///     or that the speaker is free again. Called from any thread.
    ///   - sendCommand: Sends a button press or the speaker's volume to a sender with remote commands and no
    ///     event channel, as in AirPlay 1. Called from any thread.
    package init(
        configuration: SpeakerConfiguration, identity: any SpeakerIdentifying, clock: any SpeakerClock,
        machine: any Machine,
        makeSink: @escaping @Sendable (StreamDescription) -> any StreamSink,
        makePairing: (@Sendable (SocketAddress) -> any PairingService)? = nil,
        makeTimingSource: (
            @Sendable (_ peer: SocketAddress, _ local: IPAddress) throws -> (any TimingSource)?
        )? = nil,
        setPreventsPlayback: (@Sendable (SenderRemote, Bool) -> Void)? = nil,
        sendCommand: (@Sendable (SenderRemote, DACPCommand) -> Void)? = nil
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
                setPreventsPlayback: setPreventsPlayback ?? { _, _ in },
                sendCommand: sendCommand ?? { _, _ in }),
            machine: machine,
            emit: { emit.yield($0) })
    }

    deinit {
        server.close()
        emit.finish()
    }

    /// Starts listening.
    ///
    /// - Returns: The port to advertise.
    /// - Throws: ``SystemError`` if no configured address can be listened at, or the port is taken.
    @discardableResult
    package func start() throws(SystemError) -> UInt16 { try server.start() }

    /// Ends sessions and listening; closes all connections.
    package func close() async {
        server.close()
        emit.finish()
    }

    /// A snapshot of the current state.
    package var status: Status {
        let sound = server.sound
        return Status(
            sender: server.sender, stream: sound?.status, volume: server.volume,
            connectionCount: server.connectionCount, unusablePackets: sound?.unusableCount ?? 0,
            silence: sound.map { server.machine.now.since($0.lastBytes) })
    }

    /// Sets the volume from the speaker's side, and tells the sender.
    package func setVolume(_ volume: Volume) { server.setVolume(volume) }

    /// Sends a button press to the sender, which decides on its effect.
    package func press(_ command: MediaRemoteCommand) { server.press(command) }
}
