import AirPlayMessages
import Cryptography
import HomeKitPairing
import MediaTime
import RTP
import RTSP
import SystemIO

/// One open buffered session with one speaker: control, events, clock and sound.
///
/// Opened by ``SpeakerHandshake``; ends when the control connection does.
actor SpeakerSession {
    /// What the handshake leaves behind.
    struct Parts: Sendable {
        var control: ControlChannel
        var events: EventChannel
        var stream: BufferedStream
        var url: String
        var address: IPAddress
        var receiver: ReceiverDescription
        var streamID: Int64?
        var bufferBytes: Int
        /// What a second connection needs to go on with this session.
        var sessionUUID: String
        var key: AudioKey
        var streamConnectionID: UInt64
        /// Whether it is such a second connection, and the speaker plays already.
        var isContinuing: Bool
    }

    enum StartAnswer: Equatable, Sendable {
        case accepted
        /// The speaker does not take the anchor yet; the status it gave.
        case notYet(Int)
        /// The speaker could not have played the first frame any more, by so much, and plays nothing.
        case late(Duration)
        /// A later stop or start has taken its place; nothing of it is left to be heard.
        case superseded
    }

    nonisolated let parts: Parts
    private let clock: any SenderClock
    private let timing: SenderTiming
    private var isClosed = false
    /// Whether the speaker has taken an anchor.
    private var hasStarted: Bool
    /// Whether rate 1 was the last that it was told.
    private var isPlaying: Bool
    /// When it had taken rate 0.
    private var stoppedAt: HostTime?
    /// Deferred flushes the speaker still has to reach: shairport-sync keeps ten and ignores more.
    private var pendingCuts: [Int64] = []
    /// Counts what changes whether and where the speaker plays: a start that is not the last of these
    /// sends no anchor.
    private var round = 0
    /// How long the slower of the speaker's latest answers took; older answers count less and less.
    private(set) var answerTime = Duration.zero
    /// Starts, stops and flushes are several requests each, and go out one after the other.
    private var turns = TurnTaking()

    nonisolated var stream: BufferedStream { parts.stream }

    init(parts: Parts, clock: any SenderClock, timing: SenderTiming = SenderTiming()) {
        self.parts = parts
        (hasStarted, isPlaying) = (parts.isContinuing, parts.isContinuing)
        self.clock = clock
        self.timing = timing
    }

    // MARK: Playing

    /// Makes ready for a start at `frame`: silence, and nothing of another place is left.
    func prepare(at frame: Int64) async throws {
        round += 1
        let mine = round
        await takeTurn()
        defer { turns.end() }
        guard mine == round else { return }
        let point = try await prepareStart(at: frame)
        await waitUntilStopIsSeen(playing: point.oldFormat)
    }

    /// Waits until the speaker has been sent the first sound of a start at `frame`: without it, it could not begin whole.
    func waitForBeginning(at frame: Int64, sampleRate: SampleRate) async {
        let frames = Int64(Self.beginningSeconds * Double(sampleRate.hertz))
        await stream.waitForSending(to: frame + frames, patience: timing.soundPatience)
    }

    /// A speaker of ours wants so much to say that it begins whole, and a packet more.
    private static let beginningSeconds = 0.035

    /// Makes `line.frame` heard at `line.host`; flushes first whatever else the speaker has.
    ///
    /// - Parameter needsBeginning: A speaker that can tell refuses the start when it comes too late for that frame.
    func start(_ line: PlayLine, needsBeginning: Bool = false) async throws -> StartAnswer {
        round += 1
        let mine = round
        await takeTurn()
        defer { turns.end() }
        guard mine == round else { return .superseded }
        let point = try await prepareStart(at: line.frame)
        await waitUntilStopIsSeen(playing: point.oldFormat)
        guard mine == round else { return .superseded }
        // From the first of these on it may play, whether or not their answers come.
        isPlaying = true
        if parts.receiver.quirks.armsBeforeAnchor, !hasStarted {
            _ = try await send(.setRateAnchorTime, body: RateAnchor.arm.body)
            guard mine == round else { return .superseded }
        }
        let anchor = Anchor(rtpTime: point.time, networkTime: clock.networkTime(at: line.host))
        var message = RateAnchor.play(anchor, on: clock.identity)
        message.needsBeginning = needsBeginning && parts.receiver.quirks.refusesLateStarts
        let response = try await send(.setRateAnchorTime, body: message.body)
        if message.needsBeginning, response.status == .preconditionFailed,
            let late = response.headers[LateStart.headerName].flatMap(LateStart.lateness(headerValue:))
        {
            return .late(late)
        }
        guard response.status.isSuccess else { return .notYet(response.status.rawValue) }
        hasStarted = true
        guard mine == round else { return .superseded }
        stream.setLine(line)
        return .accepted
    }

    private func prepareStart(at frame: Int64) async throws -> BufferedStream.StartPoint {
        let point = await stream.prepareStart(at: frame)
        guard let flush = point.flush else { return point }
        do { try await drop(until: flush) } catch {
            // The speaker may still have the old sound: the next start flushes again.
            await stream.requireFlush()
            throw error
        }
        return point
    }

    /// Rate 0 first: a receiver that has not read its first packet yet may die of a flush while it has an
    /// anchor (*observed* in shairport-sync's source, versions of May 2026), and one whose buffer has run
    /// empty stops at once only for it.
    private func drop(until point: (sequence: SequenceNumber, time: RTPTime)) async throws {
        try await silence()
        pendingCuts = []
        let message = FlushBuffered(until: Self.point(point.sequence, point.time))
        let response = try await send(.flushBuffered, body: message.body)
        guard response.status.isSuccess else { throw Self.refusal(of: "flush", response) }
    }

    /// Silence at once. A speaker that keeps its sound needs no other for a start at what was being heard, or behind it.
    func pause() async throws {
        round += 1
        let heard = await stream.stop()
        await takeTurn()
        defer { turns.end() }
        guard isPlaying else { return }
        // The speaker may have begun although its line is not known.
        await stream.requireFlush()
        let asked = SystemClock.now
        try await silence()
        guard let heard, parts.receiver.quirks.keepsSoundWhenStopped,
            SystemClock.now.since(asked) < timing.stopLimit
        else { return }
        await stream.keep(from: heard - Self.framesBehind)
    }

    /// What was heard just before a stop is still there: the place of a resume was read a moment before the stop.
    private static let framesBehind: Int64 = 22_050

    /// Fills a stopped speaker for a start at `frame`, if it has thrown away what is needed there.
    func refill(from frame: Int64) async throws {
        let mine = round
        await takeTurn()
        defer { turns.end() }
        guard mine == round, !isPlaying else { return }
        _ = try await prepareStart(at: frame)
    }

    /// Nothing when it is silent already.
    private func silence() async throws {
        guard isPlaying else { return }
        isPlaying = false
        let response = try await send(.setRateAnchorTime, body: RateAnchor.pause.body)
        guard response.status.isSuccess else { throw Self.refusal(of: "pause", response) }
        stoppedAt = SystemClock.now
    }

    /// How much longer than it meant a thread may sleep between its looks.
    private static let looksLate = Duration.milliseconds(4)

    /// See ``DeviceQuirks/packetsUntilStopIsSeen``.
    private func waitUntilStopIsSeen(playing format: AudioWireFormat?) async {
        let packets = parts.receiver.quirks.packetsUntilStopIsSeen
        guard let stoppedAt, let format, packets > 0 else { return }
        let seenAt = stoppedAt.advanced(by: format.packetDuration * packets + Self.looksLate)
        let left = seenAt.since(SystemClock.now)
        if left > .zero { try? await Task.sleep(for: left) }
    }

    /// Drops everything the speaker has.
    func clear() async throws {
        round += 1
        await takeTurn()
        defer { turns.end() }
        if let point = await stream.clear() { try await drop(until: point) }
    }

    /// Whether one more deferred flush fits.
    func canCut(at now: Int64) -> Bool {
        pendingCuts.removeAll { $0 <= now }
        return pendingCuts.count < 8
    }

    /// Takes `frame` and what follows out of what has been sent; the speaker still has to be told with
    /// ``flush(_:patience:)``.
    ///
    /// The stream is held afterwards until ``BufferedStream/goOn(from:)``.
    /// - Returns: `nil` when nothing of it has been sent.
    func withdraw(from frame: Int64) async -> BufferedStream.Range? {
        await takeTurn()
        defer { turns.end() }
        guard let range = await stream.withdraw(from: frame) else { return nil }
        pendingCuts.append(frame)
        return range
    }

    /// Tells the speaker to pass over packets while it goes on playing.
    ///
    /// - Parameter patience: How long the message may take to be of use.
    func flush(_ range: BufferedStream.Range, patience: Duration) async throws {
        let message = FlushBuffered(
            from: Self.point(range.fromSequence, range.fromTime),
            until: Self.point(range.untilSequence, range.untilTime))
        let response = try await send(
            .flushBuffered, body: message.body, timeout: max(timing.answerTimeout, patience))
        guard response.status.isSuccess else { throw Self.refusal(of: "flush", response) }
    }

    private func takeTurn() async {
        if turns.begin() { return }
        await withCheckedContinuation { turns.wait($0) }
    }

    private static func point(_ sequence: SequenceNumber, _ time: RTPTime) -> FlushBuffered.Point {
        FlushBuffered.Point(sequenceNumber: sequence.rawValue, rtpTime: time)
    }

    // MARK: Parameters

    func setVolume(_ volume: Volume) async throws {
        var request = request(.setParameter)
        request.headers["Content-Type"] = Volume.contentType
        request.body = volume.body
        let response = try await parts.control.request(request, timeout: timing.answerTimeout, isVital: false)
        guard response.status.isSuccess else { throw Self.refusal(of: "volume", response) }
    }

    /// Sends text, artwork and progress of a track that becomes audible at `rtpTime`.
    func show(_ track: ScheduledTrack, metadata: TrackMetadata, playhead: Int64) async throws {
        let rtpTime = await stream.time(of: track.frame)
        let stamp = RTPInfo.headerValue(rtpTime)
        var text = request(.setParameter)
        text.headers["Content-Type"] = DMAPMetadata.contentType
        text.headers[RTPInfo.headerName] = stamp
        text.body = metadata.dmap.encoded
        _ = try await parts.control.request(text, timeout: timing.answerTimeout, isVital: false)

        if let artwork = metadata.artwork {
            var picture = request(.setParameter)
            picture.headers["Content-Type"] = artwork.kind.rawValue
            picture.headers[RTPInfo.headerName] = stamp
            picture.body = artwork.bytes
            _ = try await parts.control.request(picture, timeout: .seconds(15), isVital: false)
        }
        try await showProgress(of: track, playhead: playhead)
    }

    func showProgress(of track: ScheduledTrack, playhead: Int64) async throws {
        let progress = Progress(
            start: await stream.time(of: track.frame),
            current: await stream.time(of: max(track.frame, playhead)),
            end: await stream.time(of: track.frame + track.frameCount))
        var request = request(.setParameter)
        request.headers["Content-Type"] = Progress.contentType
        request.body = progress.body
        _ = try await parts.control.request(request, timeout: timing.answerTimeout, isVital: false)
    }

    /// One sign of life. Unanswered ones are for the caller to judge: a buffered speaker plays on.
    func feedback() async throws {
        _ = try await ask(RTSPRequest(.post, "/feedback"), timeout: timing.feedbackTimeout)
    }

    /// Whether the speaker has read a packet of this session along its clock; `nil` where it does not say.
    func hasRead() async -> Bool? {
        let request = RTSPRequest(.post, "/feedback")
        guard
            let response = try? await parts.control.request(
                request, timeout: timing.feedbackTimeout, isVital: false),
            let feedback = try? FeedbackResponse(body: response.body)
        else { return nil }
        return feedback.streams.first { $0.kind == .buffered }.map { $0.sampleRate > 0 }
    }

    /// Puts off a start of which nothing has been heard.
    func move(to line: PlayLine) async throws {
        let mine = round
        await takeTurn()
        defer { turns.end() }
        guard mine == round, isPlaying else { return }
        let time = await stream.time(of: line.frame)
        let anchor = Anchor(rtpTime: time, networkTime: clock.networkTime(at: line.host))
        let response = try await send(
            .setRateAnchorTime, body: RateAnchor.play(anchor, on: clock.identity).body)
        guard response.status.isSuccess else { throw Self.refusal(of: "start", response) }
        guard mine == round else { return }
        stream.setLine(line)
    }

    func setPeers(_ addresses: [String]) async throws {
        _ = try await send(.setPeers, body: PeerList(addresses: addresses).body)
    }

    // MARK: End

    /// Ends the session in order, as far as the speaker still answers.
    func close() async {
        guard !isClosed else { return }
        isClosed = true
        round += 1
        let short = timing.farewellTimeout
        do {
            // Rate 0 first: a speaker that is still "playing" throws away the start of the next stream.
            _ = try await send(.setRateAnchorTime, body: RateAnchor.pause.body, timeout: short)
            if let point = await stream.finish() {
                let flush = FlushBuffered(until: Self.point(point.sequence, point.time))
                _ = try await send(.flushBuffered, body: flush.body, timeout: short)
            }
            _ = try await send(
                .teardown, body: Teardown.stream(.buffered, streamID: parts.streamID).body, timeout: short)
            _ = try await send(.teardown, body: Teardown.session.body, timeout: short)
        } catch {
            // The speaker does not answer any more: there is nothing left to end.
        }
        abandon()
    }

    /// Lets go of every connection without a word.
    nonisolated func abandon() {
        parts.stream.close()
        parts.events.close()
        parts.control.close()
        clock.removePeer(parts.address)
    }

    // MARK: Requests

    private func request(_ method: RTSPMethod) -> RTSPRequest {
        RTSPRequest(method, parts.url)
    }

    private func send(
        _ method: RTSPMethod, body: [UInt8], timeout: Duration? = nil
    ) async throws -> RTSPResponse {
        var request = request(method)
        request.headers["Content-Type"] = RateAnchor.contentType
        request.body = body
        return try await ask(request, timeout: timeout ?? timing.answerTimeout)
    }

    private func ask(_ request: RTSPRequest, timeout: Duration) async throws -> RTSPResponse {
        let asked = SystemClock.now
        let response = try await parts.control.request(request, timeout: timeout, isVital: false)
        answerTime = max(SystemClock.now.since(asked), answerTime * 3 / 4)
        return response
    }

    static func refusal(of what: String, _ response: RTSPResponse) -> SpeakerFailure {
        SpeakerFailure(.refused, "the speaker refused to \(what) (status \(response.status))")
    }
}
