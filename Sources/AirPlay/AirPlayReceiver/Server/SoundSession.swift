import AirPlayMessages
import Synchronization
import TuttiCryptography
import TuttiMediaTime
import TuttiSystemIO

/// One audio stream with its ports and its sink. May outlive the control connection that opened it.
final class SoundSession: Sendable {
    private enum Ports: Sendable {
        case buffered(BufferedDataPort)
        case realtime(RealtimePorts)
    }

    let request: StreamRequest
    let sender: SenderDescription
    let sink: any StreamSink
    /// The timing of the session that opened the stream; the sink resolves clocks through it.
    let timing: SessionTiming
    private let ports: Ports
    /// Time by which everything is heard later than the sender counts.
    private let drain: Duration
    private let bufferBytes: Int
    private let isEnded = Mutex(false)
    private let ending: SerialQueue

    /// A stream that has to be encrypted has no key.
    struct MissingKey: Error {}

    /// - Parameters:
    ///   - ending: Ends the sink when its last sound was heard.
    ///   - onResume: Called on a queue of the ports when packets of a realtime stream arrive again after a
    ///     pause or a flush.
    /// - Throws: ``SystemError`` if no port is available, ``CryptographyError`` if the cipher cannot be
    ///   created, ``MissingKey`` if a buffered stream has no key.
    init(
        _ request: StreamRequest, sender: SenderDescription, timing: SessionTiming,
        sink: any StreamSink, at localAddress: IPAddress, ending: SerialQueue, machine: any Machine,
        onResume: @escaping @Sendable () -> Void
    ) throws {
        self.request = request
        self.sender = sender
        self.sink = sink
        self.timing = timing
        self.ending = ending
        // The sink is still empty, so its room is the whole buffer.
        bufferBytes = sink.room
        let key = try request.key.map { try SymmetricKey($0.bytes) }
        if request.kind == .realtime, let format = request.format {
            // Only streams of AirPlay 1 have no key.
            let reading = key == nil ? RealtimeLine.NTPReading.airPlay1 : .airPlay2
            let hasNTP = timing.sourcePort != nil
            drain = hasNTP ? format.sampleRate.duration(of: reading.latency) : .zero
            ports = .realtime(
                try RealtimePorts(
                    key: key, reading: reading, format: format, controlPort: request.controlPort,
                    sink: sink, clocks: timing, at: localAddress, peer: sender.address, machine: machine,
                    onResume: onResume))
        } else {
            guard let key else { throw MissingKey() }
            drain = .zero
            ports = .buffered(
                try BufferedDataPort(
                    key: key, fallback: request.format, sink: sink, machine: machine))
        }
    }

    deinit { end() }

    /// Opens the ports.
    ///
    /// - Parameters:
    ///   - localAddress: Our end of the control connection; `peer` is the sender's.
    ///   - isContinuing: Whether a second connection continues the stream, maybe from another address.
    func open(
        at localAddress: IPAddress, oneOf dataPorts: ClosedRange<UInt16>?, for peer: IPAddress,
        isContinuing: Bool
    ) throws(SystemError) -> StreamPorts {
        switch ports {
        case .buffered(let port):
            return StreamPorts(
                data: try port.listen(at: localAddress, oneOf: dataPorts, for: peer),
                bufferBytes: bufferBytes,
                continuesAt: isContinuing ? port.nextSequenceNumber : nil)
        case .realtime(let ports):
            ports.start()
            return StreamPorts(data: ports.dataPort, control: ports.controlPort)
        }
    }

    /// Returns whether a SETUP names this stream and proves that by its key.
    func continues(_ other: StreamRequest) -> Bool {
        // There is nothing to continue before the first packet.
        guard case .buffered(let port) = ports, other.kind == .buffered, port.nextSequenceNumber != nil,
            let id = request.connectionID, id == other.connectionID, let key = request.key,
            let otherKey = other.key
        else { return false }
        return constantTimeEqual(key.bytes, otherKey.bytes)
    }

    func perform(_ command: StreamCommand) {
        guard !isEnded.withLock({ $0 }) else { return }
        switch (command, ports) {
        case (.play(let anchor, let clock), _): sink.play(along: anchor, on: clock)
        case (.pause, .buffered): sink.pause()
        case (.pause, .realtime(let ports)):
            ports.hold()
            sink.pause()
        case (.flush(let flush), .buffered(let port)): sink.flush(port.extended(flush))
        case (.flush, .realtime): break
        case (.flushBefore(let time), .realtime(let ports)):
            ports.flush(before: time)
            sink.flush(before: time)
        case (.begin(let number, let time), .realtime(let ports)): ports.begin(at: number, time)
        case (.flushBefore, .buffered), (.begin, .buffered): break
        }
    }

    func playWhole(along anchor: Anchor, on timeline: ClockIdentity) -> Duration? {
        isEnded.withLock({ $0 }) ? nil : sink.playWhole(along: anchor, on: timeline)
    }

    /// Pauses a buffered stream; see ``StreamSink/pauseTellingEnd()``.
    func pauseTellingEnd() -> RTPTime? {
        isEnded.withLock({ $0 }) ? nil : sink.pauseTellingEnd()
    }

    func setVolume(_ volume: Volume) {
        guard !isEnded.withLock({ $0 }) else { return }
        sink.setVolume(volume)
    }

    var status: StreamStatus {
        var status = sink.status
        // The sink knows nothing of packets before the first that has come.
        if case .realtime(let ports) = ports { status.missingFrames += ports.framesLostAtBeginning }
        return status
    }

    var lastBytes: HostTime {
        switch ports {
        case .buffered(let port): port.lastBytes
        case .realtime(let ports): ports.lastBytes
        }
    }

    /// Number of packets that were unreadable or in an unknown format.
    var unusableCount: Int {
        switch ports {
        case .buffered(let port): port.counts.unreadable + port.counts.unknownFormat
        case .realtime(let ports): ports.unreadableCount
        }
    }

    /// Closes the ports, and silences the stream when the sender's last instant is heard: at once, or in
    /// AirPlay 1 after the latency that its sender does not count.
    func endWhenHeard() { end(after: drain) }

    /// Silences the stream and closes its ports. Idempotent.
    func end() { end(after: .zero) }

    private func end(after delay: Duration) {
        let isFirst = isEnded.withLock { isEnded in
            defer { isEnded = true }
            return !isEnded
        }
        guard isFirst else { return }
        switch ports {
        case .buffered(let port): port.close()
        case .realtime(let ports): ports.close()
        }
        guard delay > .zero else { return sink.end() }
        ending.async(after: delay) { [sink] in sink.end() }
    }
}

/// A stream that has lost its control connection, and the state it needs to play on.
struct OrphanedStream: Sendable {
    var sound: SoundSession
    var timing: SessionTiming
    var isPlaying: Bool
    var lostAt: HostTime

    func end() {
        sound.end()
        timing.end()
    }
}
