import AirPlayMessages
import Cryptography
import HomeKitPairing
import MediaTime
import RTP
import RTSP
import SystemIO

/// One open buffered session with one speaker: control, events, clock and sound.
///
/// ``SpeakerHandshake`` opens the session; it ends when the control connection does.
actor SpeakerSession {
    /// The connections and values that the handshake produces.
    struct Parts: Sendable {
        var control: ControlChannel
        var events: EventChannel
        var stream: BufferedStream
        var url: String
        var address: IPAddress
        var receiver: ReceiverDescription
        var streamID: Int64?
        var bufferBytes: Int
        /// The values by which a second connection resumes this session.
        var sessionUUID: String
        var key: AudioKey
        var streamConnectionID: UInt64
        /// Whether this is such a second connection, and the speaker plays already.
        var isContinuing: Bool
    }

    enum StartAnswer: Equatable, Sendable {
        case accepted
        /// The speaker does not take the anchor yet; the value is its status.
        case notYet(Int)
        /// The anchor came too late for the first frame, by this duration, and the speaker plays nothing.
        case late(Duration)
        /// A later stop or start has replaced this start, which will not be heard.
        case superseded
    }

    nonisolated let parts: Parts
    private let clock: any SenderClock
    private let timing: SenderTiming
    private var isClosed = false
    /// Whether the speaker has taken an anchor.
    private var hasStarted: Bool
    /// Whether rate 1 was the last rate sent.
    private var isPlaying: Bool
    /// The host time at which the speaker confirmed rate 0.
    private var stoppedAt: HostTime?
    /// The frames of deferred flushes still ahead of the playhead: shairport-sync keeps ten and ignores more.
    private var pendingCuts: [Int64] = []
    /// Generation of starts, stops and clears: an outdated start sends no anchor.
    private var round = 0
    /// The duration of the slowest recent answer; older answers decay.
    private(set) var answerTime = Duration.zero
    /// Serializes starts, stops and flushes, each of which is several requests.
    private var turns = TurnTaking()

    nonisolated var stream: BufferedStream { parts.stream }

    init(parts: Parts, clock: any SenderClock, timing: SenderTiming = SenderTiming()) {
        self.parts = parts
        (hasStarted, isPlaying) = (parts.isContinuing, parts.isContinuing)
        self.clock = clock
        self.timing = timing
    }

    // MARK: Playing

    /// Prepares a start at `frame`: silences the speaker and flushes sound of another place.
    func prepare(at frame: Int64) async throws {
        round += 1
        let mine = round
        await takeTurn()
        defer { turns.end() }
        guard mine == round else { return }
        let point = try await prepareStart(at: frame)
        await waitUntilStopIsSeen(playing: point.oldFormat)
    }

    /// Waits until the speaker has been sent the beginning of a start at `frame`, without which it would start late.
    func waitForBeginning(at frame: Int64, sampleRate: SampleRate) async {
        let frames = Int64(Self.beginningSeconds * Double(sampleRate.hertz))
        await stream.waitForSending(to: frame + frames, patience: timing.soundPatience)
    }

    /// Seconds that our own speakers need to start on time, and one packet more.
    private static let beginningSeconds = 0.035

    /// Makes `line.frame` heard at `line.host`; flushes other sound first.
    ///
    /// - Parameter needsBeginning: Whether a speaker that can tell should refuse a start too late for that frame.
    func start(_ line: FrameLine, needsBeginning: Bool = false) async throws -> StartAnswer {
        round += 1
        let mine = round
        await takeTurn()
        defer { turns.end() }
        guard mine == round else { return .superseded }
        let point = try await prepareStart(at: line.frame)
        await waitUntilStopIsSeen(playing: point.oldFormat)
        guard mine == round else { return .superseded }
        // From the first of these requests on the speaker may play, even if the answers get lost.
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
            // The speaker may still have the old sound: make the next start flush again.
            await stream.requireFlush()
            throw error
        }
        return point
    }

    /// Sends rate 0, then a flush: a receiver that has not read its first packet yet may crash on a flush
    /// while it has an anchor (*observed* in shairport-sync's source, versions of May 2026), and a receiver
    /// whose buffer has run empty stops at once only at rate 0.
    private func drop(until point: (sequence: SequenceNumber, time: RTPTime)) async throws {
        try await silence()
        pendingCuts = []
        let message = FlushBuffered(until: Self.point(point.sequence, point.time))
        let response = try await send(.flushBuffered, body: message.body)
        guard response.status.isSuccess else { throw Self.refusal(of: "flush", response) }
    }

    /// Silences the speaker at once. If it keeps its sound, a resume at or after the playhead needs no refill.
    func pause() async throws {
        round += 1
        let heard = await stream.stop()
        await takeTurn()
        defer { turns.end() }
        guard isPlaying else { return }
        // The speaker may have begun although its line is unknown.
        await stream.requireFlush()
        let asked = SystemClock.now
        try await silence()
        guard let heard, parts.receiver.quirks.keepsSoundWhenStopped,
            SystemClock.now.since(asked) < timing.stopLimit
        else { return }
        await stream.keep(from: heard - Self.framesBehind)
    }

    /// Frames before the stop that the speaker still has: a resume position is read a moment before the stop.
    private static let framesBehind: Int64 = 22_050

    /// Refills a stopped speaker for a start at `frame`, if it has dropped the sound needed there.
    func refill(from frame: Int64) async throws {
        let mine = round
        await takeTurn()
        defer { turns.end() }
        guard mine == round, !isPlaying else { return }
        _ = try await prepareStart(at: frame)
    }

    /// Sends rate 0, unless the speaker is silent already.
    private func silence() async throws {
        guard isPlaying else { return }
        isPlaying = false
        let response = try await send(.setRateAnchorTime, body: RateAnchor.pause.body)
        guard response.status.isSuccess else { throw Self.refusal(of: "pause", response) }
        stoppedAt = SystemClock.now
    }

    /// The oversleep to allow for in a thread that polls.
    private static let looksLate = Duration.milliseconds(4)

    /// Waits for ``DeviceQuirks/packetsUntilStopIsSeen``.
    private func waitUntilStopIsSeen(playing format: AudioWireFormat?) async {
        let packets = parts.receiver.quirks.packetsUntilStopIsSeen
        guard let stoppedAt, let format, packets > 0 else { return }
        let seenAt = stoppedAt.advanced(by: format.packetDuration * packets + Self.looksLate)
        let left = seenAt.since(SystemClock.now)
        if left > .zero { try? await Task.sleep(for: left) }
    }

    /// Makes the speaker drop all its sound.
    func clear() async throws {
        round += 1
        await takeTurn()
        defer { turns.end() }
        if let point = await stream.clear() { try await drop(until: point) }
    }

    /// Returns whether one more deferred flush fits.
    func canCut(at now: Int64) -> Bool {
        pendingCuts.removeAll { $0 <= now }
        return pendingCuts.count < 8
    }

    /// Withdraws `frame` and what follows from the sent packets; tell the speaker with
    /// ``flush(_:patience:)``.
    ///
    /// The stream is held until ``BufferedStream/resume(from:)``.
    /// - Returns: `nil` when no packet from `frame` on has been sent.
    func withdraw(from frame: Int64) async -> BufferedStream.Range? {
        await takeTurn()
        defer { turns.end() }
        guard let range = await stream.withdraw(from: frame) else { return nil }
        pendingCuts.append(frame)
        return range
    }

    /// Sends a deferred flush: the speaker skips packets while it plays on.
    ///
    /// - Parameter patience: The time within which the message is of use.
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

    /// Sends text, artwork and progress of a track, for the RTP time of its first frame.
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

    /// Sends one feedback request. The caller judges missing answers, because a buffered speaker plays on.
    func feedback() async throws {
        _ = try await ask(RTSPRequest(.post, "/feedback"), timeout: timing.feedbackTimeout)
    }

    /// Returns whether the speaker has read a packet of this session along its clock; `nil` if it does not
    /// report that.
    func hasRead() async -> Bool? {
        let request = RTSPRequest(.post, "/feedback")
        guard
            let response = try? await parts.control.request(
                request, timeout: timing.feedbackTimeout, isVital: false),
            let feedback = try? FeedbackResponse(body: response.body)
        else { return nil }
        return feedback.streams.first { $0.kind == .buffered }.map { $0.sampleRate > 0 }
    }

    /// Moves a start of which nothing has been heard yet to another line.
    func move(to line: FrameLine) async throws {
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
            // Rate 0 first: a speaker that still "plays" drops the beginning of the next stream.
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

    /// Closes every connection without a message.
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
