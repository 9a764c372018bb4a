import AirPlayMessages
import HomeKitPairing
import Synchronization
import TuttiClockService
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiRTSP
import TuttiSystemIO

/// A session with a buffered stream (type 103): control, events, clock and sound.
///
/// ``SpeakerOpener`` opens it; it ends when its control connection does.
actor BufferedSession: NetworkSession {
    private enum Rate: Equatable {
        /// Rate 1 was the last rate sent; the speaker may play, even if it has not answered.
        case playing
        /// The speaker is silent; `since` is when it confirmed rate 0.
        case stopped(since: HostTime?)
        case closed
    }

    nonisolated let traits: SessionTraits
    nonisolated let opened: OpenedSession
    nonisolated let stream: BufferedStream
    nonisolated let control: SessionControl
    nonisolated let clock: SessionClock
    private nonisolated let events: EventChannel
    private nonisolated let ourClock: any SenderClock
    private nonisolated let timing: SenderTiming
    private nonisolated let machine: any Machine
    private nonisolated var quirks: DeviceQuirks { opened.receiver.quirks }

    private var rate: Rate
    /// Whether the speaker has taken an anchor.
    private var hasStarted: Bool
    /// The host time of the beginning of the last line.
    private var audibleSince: HostTime?
    /// Whether the speaker has read sound by the clock; `nil` while that is not known.
    private nonisolated let readsByClock = Mutex<Bool?>(nil)
    /// The frames of deferred flushes still ahead of the playhead: shairport-sync keeps ten and ignores more.
    private var pendingCuts: [Int64] = []
    /// The number of edits so far.
    private var editCount = 0
    /// The number of times that the speaker was told to drop all its sound.
    private var dropCount = 0
    /// The order of starts, stops, clears and flushes.
    private let order = CommandOrder()

    init(
        _ opened: OpenedSession, control: SessionControl, events: EventChannel, stream: BufferedStream,
        clock: any SenderClock, timing: SenderTiming, machine: any Machine
    ) {
        (self.opened, self.control, self.events, self.stream) = (opened, control, events, stream)
        (ourClock, self.clock, self.timing) = (clock, .ptp(clock, opened.peer), timing)
        self.machine = machine
        traits = SessionTraits(buffered: opened, address: control.channel.connection.peerAddress)
        rate = opened.isContinuing ? .playing : .stopped(since: nil)
        hasStarted = opened.isContinuing
    }

    nonisolated var clockReport: ClockReport {
        clock.report(of: traits.receiver, readsByClock: readsByClock.withLock { $0 })
    }

    nonisolated func time(of frame: Int64) -> RTPTime { stream.time(of: frame) }

    // MARK: Playing

    func prepare(at frame: Int64) async throws {
        let command = await order.replaceEarlier()
        defer { order.release() }
        guard order.isNewest(command) else { return }
        let point = try await prepareStart(at: frame)
        await waitUntilStopIsSeen(playing: point.oldFormat)
    }

    func waitForBeginning(at frame: Int64, sampleRate: SampleRate) async -> Duration {
        let frames = Int64(Self.beginningSeconds * Double(sampleRate.hertz))
        return await stream.waitForSending(to: frame + frames, patience: timing.soundPatience)
    }

    /// Seconds that our own speakers need to start on time, and one packet more.
    private static let beginningSeconds = 0.035

    func start(_ line: FrameLine, needsBeginning: Bool) async throws -> StartAnswer {
        let command = await order.replaceEarlier()
        defer { order.release() }
        guard order.isNewest(command) else { return .superseded }
        let point = try await prepareStart(at: line.frame)
        await waitUntilStopIsSeen(playing: point.oldFormat)
        guard order.isNewest(command) else { return .superseded }
        // From the first of these requests on the speaker may play, even if the answers get lost.
        rate = .playing
        if quirks.armsBeforeAnchor, !hasStarted {
            _ = try await control.ask(.setRateAnchorTime, body: RateAnchor.arm.body)
            guard order.isNewest(command) else { return .superseded }
        }
        var message = anchor(line, at: point.time)
        message.needsBeginning = needsBeginning && quirks.refusesLateStarts
        let response = try await control.ask(.setRateAnchorTime, body: message.body)
        if message.needsBeginning, response.status == .preconditionFailed,
            let late = response.headers[LateStart.headerName].flatMap(LateStart.lateness(headerValue:))
        {
            return .late(late)
        }
        guard response.status.isSuccess else { return .notYet(response.status.rawValue) }
        hasStarted = true
        guard order.isNewest(command) else {
            // The speaker plays, along a line that the stream is not told of.
            stream.requireFlush()
            return .superseded
        }
        stream.setLine(line)
        audibleSince = line.host
        control.speakerPlays()
        return .accepted
    }

    func move(to line: FrameLine) async throws {
        let command = await order.join()
        defer { order.release() }
        guard order.isNewest(command), rate == .playing else { return }
        let message = anchor(line, at: stream.time(of: line.frame))
        try await control.send(.setRateAnchorTime, body: message.body, to: "start")
        guard order.isNewest(command) else { return }
        stream.setLine(line)
        audibleSince = line.host
    }

    private func anchor(_ line: FrameLine, at time: RTPTime) -> RateAnchor {
        let anchor = Anchor(rtpTime: time, networkTime: ourClock.networkTime(at: line.host))
        return RateAnchor.play(anchor, on: ourClock.identity)
    }

    /// A lost answer tells nothing; the session's watch notices a lost connection.
    func followsLine() async -> Bool? { (try? await control.feedback()).flatMap(note) }

    /// Notes what an answer to feedback tells of the clock.
    ///
    /// - Returns: Whether the speaker has read sound by the clock; `nil` if the answer does not tell.
    private func note(_ response: RTSPResponse) -> Bool? {
        guard quirks.tellsWhenItReads, let feedback = try? FeedbackResponse(body: response.body),
            let told = feedback.streams.first(where: { $0.kind == .buffered })
        else { return nil }
        let reads = told.sampleRate > 0
        let isOverdue =
            rate == .playing && audibleSince.map { machine.now.since($0) > Self.readingLimit } ?? false
        if reads || isOverdue { readsByClock.withLock { $0 = reads || $0 == true } }
        return reads
    }

    /// The time after which a speaker must have read the sound that is due.
    private static let readingLimit = Duration.seconds(3)

    func stop() async throws -> Int64? {
        let (heard, edits) = (stream.stop(), editCount)
        await order.replaceEarlier()
        defer { order.release() }
        guard rate == .playing else { return nil }
        // The speaker may have begun although its line is unknown.
        stream.requireFlush()
        let asked = machine.now
        let end = try await silence()
        guard let heard else { return nil }
        // The speaker may not have been told of sound that was withdrawn meanwhile.
        if quirks.keepsSoundWhenStopped, machine.now.since(asked) < timing.stopLimit, edits == editCount {
            stream.keep(from: heard - Self.framesBehind)
        }
        guard let end else { return nil }
        return heard.addingSaturated(end.frames(since: stream.time(of: heard)))
    }

    /// Frames before the stop that the speaker still has: a resume position is read a moment before the stop.
    private static let framesBehind: Int64 = 22_050

    func refill(from frame: Int64) async throws {
        let command = await order.join()
        defer { order.release() }
        guard order.isNewest(command), rate != .playing else { return }
        _ = try await prepareStart(at: frame)
    }

    func clear() async throws {
        let edits = editCount
        await order.replaceEarlier()
        defer { order.release() }
        // An edit that came while earlier commands were waited for is still open.
        if let point = stream.clear(keepsHold: edits != editCount) { try await drop(until: point) }
    }

    // MARK: Steps of a start

    private func prepareStart(at frame: Int64) async throws -> BufferedStream.StartPoint {
        let point = stream.prepareStart(at: frame)
        if let flush = point.flush { try await drop(until: flush) }
        return point
    }

    /// Makes the speaker drop its sound.
    private func drop(until point: (sequence: SequenceNumber, time: RTPTime)) async throws {
        // Before the first request: an edit that comes meanwhile is one of the new run.
        (pendingCuts, dropCount) = ([], dropCount + 1)
        do { try await flush(until: point) } catch {
            // The speaker may still have the old sound: make the next start flush again.
            stream.requireFlush()
            throw error
        }
    }

    /// Sends rate 0, then a flush: a receiver that has not read its first packet yet may crash on a flush
    /// while it has an anchor (*observed* in shairport-sync's source, versions of May 2026), and a receiver
    /// whose buffer has run empty stops at once only at rate 0.
    private func flush(until point: (sequence: SequenceNumber, time: RTPTime)) async throws {
        try await silence()
        let message = FlushBuffered(until: Self.point(point.sequence, point.time))
        try await control.send(.flushBuffered, body: message.body, to: "flush")
    }

    /// Sends rate 0, unless the speaker is silent already.
    ///
    /// - Returns: The RTP time of the first frame that has not been heard; `nil` if the speaker does not tell.
    @discardableResult
    private func silence() async throws -> RTPTime? {
        guard rate == .playing else { return nil }
        rate = .stopped(since: nil)
        let response: RTSPResponse
        do {
            response = try await control.ask(.setRateAnchorTime, body: RateAnchor.pause.body)
        } catch {
            // A speaker that has not heard of it plays on.
            if case .stopped(since: nil) = rate { rate = .playing }
            throw error
        }
        guard response.status.isSuccess else { throw SessionControl.refusal(of: "pause", response) }
        // A start meanwhile waits for this to end.
        if case .stopped = rate { rate = .stopped(since: machine.now) }
        return response.headers[SoundEnd.headerName].flatMap(SoundEnd.time(headerValue:))
    }

    /// The oversleep to allow for in a thread that polls.
    private static let looksLate = Duration.milliseconds(4)

    /// Waits for ``DeviceQuirks/packetsUntilStopIsSeen``.
    private func waitUntilStopIsSeen(playing format: AudioWireFormat?) async {
        let packets = quirks.packetsUntilStopIsSeen
        guard case .stopped(let since?) = rate, let format, packets > 0 else { return }
        let seenAt = since.advanced(by: format.packetDuration * packets + Self.looksLate)
        let left = seenAt.since(machine.now)
        if left > .zero { await machine.pause(for: left) }
    }

    // MARK: Edits

    func canTakeBack(at playhead: Int64) -> Bool {
        pendingCuts.removeAll { $0 <= playhead }
        return pendingCuts.count < Self.cutLimit
    }

    private static let cutLimit = 8

    /// While the speaker is being filled, old sound is under way before the new.
    nonisolated var exchangeMargin: Duration {
        let margin = traits.takeBackMargin ?? .zero
        return stream.isUnderWay ? margin + .milliseconds(350) : margin
    }

    /// Waits for no request: only the message waits for the earlier commands, behind which it must come.
    func takeBack(from frame: Int64) -> Withdrawal? {
        editCount += 1
        guard let range = stream.withdraw(from: frame) else { return nil }
        pendingCuts.append(frame)
        let drops = dropCount
        return { [self] patience in try await flush(range, drops: drops, patience: patience) }
    }

    /// Sends a deferred flush: the speaker skips packets while it plays on.
    ///
    /// - Parameter drops: The value of ``dropCount`` when the packets were withdrawn.
    private func flush(_ range: BufferedStream.Range, drops: Int, patience: Duration) async throws {
        await order.join()
        defer { order.release() }
        // The speaker was told meanwhile to drop these packets with all others.
        guard drops == dropCount else { return }
        let message = FlushBuffered(
            from: Self.point(range.fromSequence, range.fromTime),
            until: Self.point(range.untilSequence, range.untilTime))
        try await control.send(
            .flushBuffered, body: message.body, timeout: max(timing.answerTimeout, patience), to: "flush")
    }

    func takeBackSilently(from frame: Int64) async {
        editCount += 1
        stream.withdraw(from: frame, forcesRestart: true)
    }

    nonisolated func resume(from frame: Int64) { stream.resume(from: frame) }

    private static func point(_ sequence: SequenceNumber, _ time: RTPTime) -> FlushBuffered.Point {
        FlushBuffered.Point(sequenceNumber: sequence.rawValue, rtpTime: time)
    }

    // MARK: Displays

    func show(_ track: ScheduledTrack, _ update: DisplayUpdate, playhead: Int64) async throws {
        // Sound that comes before the first text is silent on a speaker that wants text.
        defer { stream.release() }
        try await control.show(update, at: time(of: track.frame))
        try await showProgress(of: track, playhead: playhead)
    }

    // MARK: Life

    nonisolated func depth() -> SessionDepth {
        let progress = stream.progress()
        return SessionDepth(
            endFrame: progress.endFrame, bytesHeld: progress.speakerBytes, isDrained: progress.isDrained,
            unread: progress.unread, repetitions: stream.connection.repetitions)
    }

    func feedback() async throws { _ = note(try await control.feedback()) }

    nonisolated func release() {
        stream.close()
        events.close()
        control.channel.close()
        clock.end()
    }

    nonisolated var teardown: RTSPRequest { control.sessionTeardown }

    func takeLeave() async throws {
        rate = .closed
        order.replaceAll()
        // Rate 0 first: a speaker that still "plays" drops the beginning of the next stream.
        try await control.takeLeave(.setRateAnchorTime, body: RateAnchor.pause.body)
        if let point = stream.finish() {
            let flush = FlushBuffered(until: Self.point(point.sequence, point.time))
            try await control.takeLeave(.flushBuffered, body: flush.body)
        }
        try await control.tearDown(.buffered, streamID: opened.streamID)
    }
}

extension SessionTraits {
    fileprivate init(buffered opened: OpenedSession, address: SocketAddress) {
        let quirks = opened.receiver.quirks
        self.init(receiver: opened.receiver, address: "\(address)", bufferBytes: opened.bufferBytes)
        leads = Leads(start: quirks.startLead, resume: quirks.resumeLead, seek: quirks.seekLead)
        (headStartAlone, takeBackMargin) = (quirks.headStartAlone, quirks.takeBackMargin)
        startLeadAlone = quirks.startLeadAlone
        liveLatency = quirks.liveLatency
        // Some speakers play nothing without metadata (*reported*, Sonos), some forget a volume that comes before the
        // stream (*reported*, Symfonisk).
        (wantsMetadataFirst, showsWhetherItFollows) = (true, quirks.tellsWhenItReads)
        isResumable = quirks.continuesSessions
        (hasResumed, mayPlay) = (opened.isContinuing, opened.isContinuing)
    }
}
