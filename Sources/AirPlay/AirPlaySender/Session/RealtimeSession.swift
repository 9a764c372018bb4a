import AirPlayMessages
import Synchronization
import TuttiClockService
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// A session with a realtime stream, of AirPlay 2 (type 96) or AirPlay 1: control, clock and sound.
///
/// The speaker holds two seconds; the rest waits in the store. ``SpeakerOpener`` opens it; it ends when its control
/// connection does.
actor RealtimeSession: SpeakerSession {
    /// The parts that differ between AirPlay 2 and AirPlay 1.
    enum Conversation: Sendable {
        /// `events` is open as long as the session; `streamID` names the stream at its end.
        case airPlay2(events: EventChannel, streamID: Int64?)
        case airPlay1
    }

    /// The clock that the speaker follows.
    enum Clock: Sendable {
        case ptp(any SenderClock, IPAddress)
        case theirs(LeaderFollowing)
        case ntp(NTPResponder, since: HostTime)
    }

    nonisolated let traits: SessionTraits
    nonisolated let stream: RealtimeStream
    private nonisolated let control: SessionControl
    private nonisolated let conversation: Conversation
    private nonisolated let clock: Clock
    private nonisolated let timing: SenderTiming

    private var isClosed = false
    /// Whether the speaker answers `POST /feedback`; others get `OPTIONS`.
    private var takesFeedback = true
    /// The order of starts, stops, clears and flushes.
    private let order = CommandOrder()
    private nonisolated let isAbandoned = Atomic<Bool>(false)

    init(
        _ traits: SessionTraits, conversation: Conversation, control: SessionControl, stream: RealtimeStream,
        clock: Clock, timing: SenderTiming
    ) {
        (self.traits, self.conversation, self.control, self.stream) = (traits, conversation, control, stream)
        (self.clock, self.timing) = (clock, timing)
    }

    // MARK: Clock

    nonisolated var readyTime: HostTime? {
        switch clock {
        case .ptp(let clock, let peer): clock.status(of: peer)?.readyTime
        case .theirs(let leader): leader.readyTime
        case .ntp(let responder, let since):
            responder.readyTime
                ?? (SystemClock.now.since(since) > Self.unasked ? since.advanced(by: Self.unasked) : nil)
        }
    }

    nonisolated var clockState: PeerClockState {
        switch clock {
        case .ptp: clockReport.shownState
        case .theirs(let leader): leader.state
        case .ntp(let responder, let since):
            if responder.answerCount > 0 {
                .ready
            } else if SystemClock.now.since(since) > Self.stall {
                .stalled
            } else {
                .waiting
            }
        }
    }

    nonisolated var clockReport: ClockReport {
        switch clock {
        case .ptp(let clock, let peer):
            ClockReport(ptp: peer, of: clock, traits.receiver)
        case .theirs(let leader):
            ClockReport(.theirs, state: leader.state, readyTime: leader.readyTime)
        case .ntp(let responder, _):
            ClockReport(
                .ntp, state: clockState, requests: responder.answerCount, readyTime: responder.readyTime)
        }
    }

    /// The time after which a speaker that never asks for the time is started all the same.
    private static let unasked = Duration.milliseconds(2500)
    /// The time after which such a speaker counts as one that finds no clock.
    private static let stall = Duration.seconds(5)

    // MARK: Playing

    func prepare(at frame: Int64) async throws {
        let mine = order.replaceEarlier()
        await order.acquire()
        defer { order.release() }
        guard mine == order.generation else { return }
        try await silence()
    }

    func start(_ line: FrameLine, needsBeginning: Bool) async throws -> StartAnswer {
        let mine = order.replaceEarlier()
        await order.acquire()
        defer { order.release() }
        guard mine == order.generation else { return .superseded }
        try await silence()
        guard mine == order.generation else { return .superseded }
        stream.start(line)
        control.speakerPlays()
        return .accepted
    }

    func move(to line: FrameLine) async throws {
        let mine = order.generation
        await order.acquire()
        defer { order.release() }
        guard mine == order.generation else { return }
        stream.move(to: line)
    }

    func stop() async throws -> Int64? {
        _ = order.replaceEarlier()
        await order.acquire()
        defer { order.release() }
        try await silence()
        return nil
    }

    func clear() async throws {
        _ = order.replaceEarlier()
        await order.acquire()
        defer { order.release() }
        try await silence()
    }

    /// Ends the sound: the speaker drops what it holds, or plays it to its end if it must not be flushed.
    private func silence() async throws {
        guard let point = stream.stop() else { return }
        var request = RTSPRequest(.flush, control.url)
        request.headers[RTPInfo.headerName] = RTPInfo.headerValue(sequenceNumber: point.sequence, point.time)
        try await control.send(request, to: "flush")
    }

    // MARK: Edits

    func takeBack(from frame: Int64) -> Withdrawal? {
        guard !stream.hold(from: frame) else { return nil }
        return { _ in throw SpeakerFailure(.refused, "the speaker has the sound already") }
    }

    nonisolated func resume(from frame: Int64) { stream.resume(from: frame) }

    // MARK: Displays and volume

    func setVolume(_ volume: Volume) async throws { try await control.setVolume(volume) }

    func show(_ track: ScheduledTrack, _ update: DisplayUpdate, playhead: Int64) async throws {
        try await control.show(update, at: stream.time(of: track.frame))
        try await showProgress(of: track, playhead: playhead)
    }

    func showProgress(of track: ScheduledTrack, playhead: Int64) async throws {
        try await control.showProgress(of: track, playhead: playhead, time: stream.time)
    }

    // MARK: Life

    nonisolated func depth() -> SessionDepth {
        let (end, ahead, isDrained) = stream.progress()
        let bytes = max(0, Int(ahead.wholeNanoseconds / 1000) * Self.bytesPerSecond / 1_000_000)
        return SessionDepth(endFrame: end, bytesHeld: bytes, isDrained: isDrained, unread: .zero)
    }

    /// The bytes of a second of music in ALAC, about.
    private static let bytesPerSecond = 110_000

    nonisolated var answerTime: Duration { control.answerTime }
    nonisolated var lastAnswer: HostTime { control.channel.lastAnswer }

    func feedback() async throws {
        if takesFeedback {
            takesFeedback = try await control.feedback().status.isSuccess
        } else {
            _ = try await control.ask(RTSPRequest(.options, "*"), timeout: timing.feedbackTimeout)
        }
    }

    nonisolated func answersAnew() async -> Bool { await control.answersAnew() }
    nonisolated func ended() async -> SpeakerFailure { await control.channel.ended() }
    nonisolated func fail(_ failure: SpeakerFailure) { control.channel.fail(failure) }
    nonisolated func detach(_ failure: SpeakerFailure) { control.channel.detach(failure) }

    nonisolated func abandon() {
        // An ordered end comes here twice, and a clock counts its sessions: another one may be with the same address.
        guard !isAbandoned.exchange(true, ordering: .relaxed) else { return }
        stream.close()
        if case .airPlay2(let events, _) = conversation { events.close() }
        switch clock {
        case .ptp(let clock, let peer): clock.removePeer(peer)
        case .theirs(let leader): leader.end()
        case .ntp(let responder, _): responder.close()
        }
        control.channel.close()
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        _ = order.replaceEarlier()
        let short = timing.farewellTimeout
        do {
            // A receiver that must not be flushed is torn down while it has silence to play.
            if let point = stream.stop() {
                var flush = RTSPRequest(.flush, control.url)
                flush.headers[RTPInfo.headerName] = RTPInfo.headerValue(
                    sequenceNumber: point.sequence, point.time)
                _ = try await control.ask(flush, timeout: short)
            }
            switch conversation {
            case .airPlay2(_, let streamID):
                for body in [Teardown.stream(.realtime, streamID: streamID).body, Teardown.session.body] {
                    let request = RTSPRequest(
                        .teardown, control.url, contentType: RateAnchor.contentType, body: body)
                    _ = try await control.ask(request, timeout: short)
                }
            case .airPlay1:
                _ = try await control.ask(RTSPRequest(.teardown, control.url), timeout: short)
            }
        } catch {
            // The speaker does not answer any more: there is nothing left to end.
        }
        abandon()
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
        leads = Leads(
            start: exact + silence, resume: max(quirks.resumeLead, exact) + silence,
            seek: max(quirks.seekLead, lead) + silence)
        stopTime = quirks.realtimeFlushTime
        let queue = depth ?? quirks.realtimeQueue
        liveLatency = max(quirks.realtimeLiveLatency ?? queue + .milliseconds(250), leads.start)
        (takeBackMargin, isRealtime) = (queue + .milliseconds(250), true)
    }
}
