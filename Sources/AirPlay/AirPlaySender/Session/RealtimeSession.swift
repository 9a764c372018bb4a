import AirPlayMessages
import TuttiMediaTime
import TuttiRTSP

/// A session with a realtime stream, of AirPlay 2 (type 96) or AirPlay 1: control, clock and sound.
///
/// The speaker holds two seconds; the rest waits in the store. ``SpeakerOpener`` opens it; it ends when its control
/// connection does.
actor RealtimeSession: NetworkSession {
    /// The parts that differ between AirPlay 2 and AirPlay 1.
    enum Conversation: Sendable {
        /// `events` is open as long as the session; `streamID` names the stream at its end.
        case airPlay2(events: EventChannel, streamID: Int64?)
        case airPlay1
    }

    nonisolated let traits: SessionTraits
    nonisolated let stream: RealtimeStream
    nonisolated let control: SessionControl
    nonisolated let clock: SessionClock
    private nonisolated let conversation: Conversation
    private nonisolated let timing: SenderTiming

    /// Whether the speaker answers `POST /feedback`; others get `OPTIONS`.
    private var takesFeedback = true
    /// The number of edits, so that a clear knows of those that came while it waited.
    private var editCount = 0
    /// The order of starts, stops, clears and flushes.
    private let order = CommandOrder()

    init(
        _ traits: SessionTraits, conversation: Conversation, control: SessionControl, stream: RealtimeStream,
        clock: SessionClock, timing: SenderTiming
    ) {
        (self.traits, self.conversation, self.control, self.stream) = (traits, conversation, control, stream)
        (self.clock, self.timing) = (clock, timing)
    }

    nonisolated func time(of frame: Int64) -> RTPTime { stream.time(of: frame) }

    // MARK: Playing

    func prepare(at frame: Int64) async throws {
        let command = await order.replaceEarlier()
        defer { order.release() }
        guard order.isNewest(command) else { return }
        try await silence()
    }

    func start(_ line: FrameLine, needsBeginning: Bool) async throws -> StartAnswer {
        let command = await order.replaceEarlier()
        defer { order.release() }
        guard order.isNewest(command) else { return .superseded }
        try await silence()
        guard order.isNewest(command) else { return .superseded }
        stream.start(line)
        control.speakerPlays()
        return .accepted
    }

    func move(to line: FrameLine) async throws {
        let command = await order.join()
        defer { order.release() }
        guard order.isNewest(command) else { return }
        stream.move(to: line)
    }

    func stop() async throws -> Int64? {
        await order.replaceEarlier()
        defer { order.release() }
        try await silence()
        return nil
    }

    func clear() async throws {
        let edits = editCount
        await order.replaceEarlier()
        defer { order.release() }
        // An edit that came while earlier commands were waited for is still open.
        try await silence(endsHold: edits == editCount)
    }

    /// Ends the sound: the speaker drops what it holds, or plays it to its end if it must not be flushed.
    private func silence(endsHold: Bool = false) async throws {
        guard let point = stream.stop(endsHold: endsHold) else { return }
        try await control.send(flush(point), to: "flush")
    }

    private func flush(_ point: (sequence: UInt16, time: RTPTime)) -> RTSPRequest {
        var request = RTSPRequest(.flush, control.url)
        request.headers[RTPInfo.headerName] = RTPInfo.headerValue(sequenceNumber: point.sequence, point.time)
        return request
    }

    // MARK: Edits

    func takeBack(from frame: Int64) -> Withdrawal? {
        editCount += 1
        guard !stream.hold(from: frame) else { return nil }
        return { _ in throw SpeakerFailure(.refused, "the speaker has the sound already") }
    }

    nonisolated func resume(from frame: Int64) { stream.resume(from: frame) }

    // MARK: Life

    nonisolated func depth() -> SessionDepth {
        let (end, ahead, isDrained) = stream.progress()
        let bytes = max(0, Int(ahead.wholeNanoseconds / 1000) * Self.bytesPerSecond / 1_000_000)
        return SessionDepth(endFrame: end, bytesHeld: bytes, isDrained: isDrained, unread: .zero)
    }

    /// The bytes of a second of music in ALAC, about.
    private static let bytesPerSecond = 110_000

    func feedback() async throws {
        if takesFeedback {
            takesFeedback = try await control.feedback().status.isSuccess
        } else {
            _ = try await control.ask(RTSPRequest(.options, "*"), timeout: timing.feedbackTimeout)
        }
    }

    nonisolated func release() {
        stream.close()
        if case .airPlay2(let events, _) = conversation { events.close() }
        clock.end()
        control.channel.close()
    }

    nonisolated var teardown: RTSPRequest {
        switch conversation {
        case .airPlay2: control.sessionTeardown
        case .airPlay1: RTSPRequest(.teardown, control.url)
        }
    }

    func takeLeave() async throws {
        order.replaceAll()
        // A receiver that must not be flushed is torn down while it has silence to play.
        if let point = stream.stop() { try await control.takeLeave(flush(point)) }
        switch conversation {
        case .airPlay2(_, let streamID): try await control.tearDown(.realtime, streamID: streamID)
        case .airPlay1: try await control.takeLeave(teardown)
        }
    }
}

extension SessionTraits {
    /// The traits of a realtime session. Sound can be taken back until it is sent, a moment before which the edit must
    /// have been made.
    ///
    /// - Parameters:
    ///   - isAirPlay1: Whether the session is one of AirPlay 1.
    ///   - latency: The latency that the speaker names as its least.
    ///   - depth: The time before it is heard at which sound is sent; `nil` for the usual one of the speaker.
    init(
        realtime receiver: ReceiverDescription, address: String, bufferBytes: Int, isAirPlay1: Bool = false,
        latency: Duration = .zero, depth: Duration? = nil
    ) {
        let quirks = receiver.quirks
        let lead = max(quirks.realtimeStartLead, latency + .milliseconds(50))
        let exact = isAirPlay1 ? max(quirks.airPlay1StartLead, lead) : lead
        // The receiver begins with the silence, which is due before the first sound.
        let silence = AudioWireFormat.alac44100x16.packetDuration * quirks.realtimeSilentPackets
        self.init(receiver: receiver, address: address, bufferBytes: bufferBytes)
        let queue = depth ?? quirks.realtimeQueue
        // A receiver that must not be flushed plays what it has, sound or silence, before anything new.
        let queued = quirks.mustNotBeFlushed ? queue + .milliseconds(50) : .zero
        // A jump drops what the receiver's output holds, which needs the lead of a resume to begin exactly. It need not
        // wait for the receiver's clock, as a start by AirPlay 1 does.
        leads = Leads(
            start: exact + silence, resume: max(quirks.resumeLead, exact, queued) + silence,
            seek: max(quirks.resumeLead, lead, queued) + silence)
        stopTime = quirks.realtimeFlushTime
        liveLatency = max(quirks.realtimeLiveLatency ?? queue + .milliseconds(250), leads.start)
        (takeBackMargin, isRealtime) = (queue + .milliseconds(250), true)
    }
}
