import AirPlayMessages
import Glibc
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiResampling

/// The playout of one stream, as a value: packets, anchors, clocks and device times in, frames out.
///
/// The driver requests consecutive device frames (``fill(_:count:at:device:mapping:waits:)``) a little ahead
/// of the device, and reports how far the device has come (``heard(to:)``). Positions are RTP times that do
/// not wrap. Each device frame is resampled at a fractional position of the decoded timeline. The
/// ``DriftServo`` sets the step between positions so that they stay on the line through the anchor.
struct Playout {
    /// The error, in seconds, above which playback jumps to the right position instead of drifting there.
    static let reseatSeconds = 0.005
    /// Encoded audio to keep before the heard position, for a new line that goes back.
    static let keptSeconds = 1.0
    /// Most frames of one ``fill(_:count:at:device:mapping:waits:)``.
    static let fillLimit = 512

    let configuration: PlayoutConfiguration
    let deviceRate: SampleRate
    var decoder: StreamDecoder
    var servo = DriftServo()
    let mixer: FrameMixer

    var isPlaying = false
    var clock: ClockIdentity?
    var anchor: Anchor?
    var line: PlayLine?
    /// The position that the next device frame gets.
    var cursor: RenderCursor?
    var mixedSound = MixedSound()

    var error = 0.0
    /// The wait for the line after a realtime flush.
    var hold = FlushHold()
    /// The line behind a leap of RTP time that playback has not reached.
    var leapLine: LeapLine?
    /// The device frame from which audio follows ``line``, after a leap.
    var lineFrame: Int64?

    init(
        configuration: PlayoutConfiguration, deviceRate: SampleRate,
        makeDecoder: @escaping (AudioWireFormat) -> (any PacketDecoder)? = WireDecoders.make
    ) {
        self.configuration = configuration
        self.deviceRate = deviceRate
        servo.lockError = configuration.lockError
        decoder = StreamDecoder(configuration: configuration, makeDecoder: makeDecoder)
        mixer = FrameMixer(deviceRate: deviceRate)
    }

    // MARK: Calls from the session

    mutating func append(_ packet: ReceivedPacket) {
        let leap = decoder.leap
        decoder.append(packet, mixed: cursor?.position)
        if decoder.mayLeap { arrived(after: leap) }
    }

    /// Follows the line through this anchor: drifts there if the current position is near, else jumps.
    mutating func play(along anchor: Anchor, on clock: ClockIdentity) {
        if takeForLeap(anchor, on: clock) { return }
        leapLine = nil
        if self.clock != clock { servo.forget() }
        (self.anchor, self.clock, isPlaying, line) = (anchor, clock, true, nil)
        mixedSound.outages.permitJump()
    }

    mutating func pause() {
        isPlaying = false
        (anchor, line, leapLine, lineFrame) = (nil, nil, nil, nil)
        mixedSound.outages.permitJump()
    }

    /// - Returns: Whether to discard audio that is mixed and not yet heard.
    mutating func flush(_ flush: FlushBuffered) -> Bool {
        guard let from = flush.from else {
            decoder.flush(until: flush.until)
            pause()
            hold.isActive = false
            mixedSound.forgetPositions()
            return true
        }
        decoder.flush(from: from, until: flush.until, mixed: cursor?.position)
        return false
    }

    /// Drops realtime packets before `rtpTime`, and the cursor.
    ///
    /// Keeps the line only as long as the first packet after the flush is not late on it. A sender that
    /// pauses continues later along a new line, whose announcement may arrive after the first packets.
    mutating func flush(before rtpTime: RTPTime) {
        decoder.flush(before: rtpTime)
        if let next = leapLine { (anchor, line) = (next.anchor, nil) }
        (leapLine, lineFrame) = (nil, nil)
        (cursor, hold) = (nil, FlushHold(isActive: true))
        mixedSound.forgetPositions()
    }

    /// Whether the next device frame has a position.
    var hasPosition: Bool { cursor != nil }

    /// Frees the packets at the end of the stream; keeps the counts.
    mutating func removeAll() { decoder.removeAll() }

    // MARK: Calls from the driver

    /// Discards audio mixed from this device frame on; the next fill starts again.
    mutating func invalidateCursor(from frame: Int64) {
        cursor = nil
        mixedSound.takeBack(from: frame)
    }

    /// Returns whether the audio at this frame, or the first after it, is so far off its line that it should
    /// be discarded.
    func isFarOff(at frame: Int64, device: DeviceLine, mapping: ClockMapping?) -> Bool {
        guard isPlaying, let line, let mapping else { return false }
        let time = DeviceClock(device: device, mapping: mapping)
        guard time.isSane else { return false }
        // The audio mixed so far reaches beyond the beginning of another stream.
        if let left = framesBeforeLeap(at: frame, time), let cursor, frame + left < cursor.frame {
            return true
        }
        guard let place = mixedSound.history.nextCursor(from: frameOnLine(from: frame)) else { return false }
        let error = (time.frames(of: line, at: place.frame) - place.place(on: line)) / hertz
        return abs(error) > Self.reseatSeconds
    }

    /// Moves the playhead to the device frame heard now, and releases earlier packets.
    mutating func heard(to frame: Int64) {
        mixedSound.history.hear(frame)
        guard let playhead = mixedSound.history.playhead else { return }
        let mixed = cursor.map { $0.position - Int64(VariableRateResampler.framesBefore) - 2 }
        decoder.release(heard: playhead, mixed: mixed, kept: Int64(Self.keptSeconds * hertz))
    }

    /// Decodes one packet unless the wanted lead is decoded already.
    ///
    /// - Returns: Whether there may be more to decode.
    mutating func decodeAhead() -> Bool {
        guard let cursor, decoder.hasMore else { return false }
        let ahead = Double((decoder.timeline.end ?? cursor.position) - cursor.position)
        guard ahead < configuration.decodedSeconds * hertz else { return false }
        decodeNext()
        return true
    }

    /// Returns whether audio has arrived for so many seconds from this RTP time on.
    mutating func holds(_ seconds: Double, from rtpTime: RTPTime) -> Bool {
        guard let position = decoder.position(of: rtpTime) else { return false }
        let rate = Double((decoder.timeline.last?.rate ?? deviceRate).hertz)
        return Double(decoder.endOfSound(from: position) - position) >= seconds * rate
    }

    mutating func decodeNext() {
        let mixed = cursor?.position ?? .min
        guard let due = decoder.decodeNext(mixed: mixed), let end = decoder.timeline.end else { return }
        mixedSound.outages.decode(from: due, to: end, mixed: mixed)
    }

    /// The source's frames per second.
    var hertz: Double { Double((line?.rate ?? deviceRate).hertz) }

    // MARK: Status

    /// Returns a snapshot of the stream's state and counts.
    mutating func status() -> StreamStatus {
        var status = StreamStatus()
        // A flushed realtime stream counts as paused until new packets arrive.
        status.isPlaying = isPlaying && !hold.isActive && !mixedSound.outages.isOutage
        status.sampleRate = line?.rate ?? decoder.timeline.last?.rate
        status.heldBytes = decoder.store.heldBytes
        status.playedFrames = mixedSound.playedFrames
        status.missingFrames = mixedSound.outages.missingFrames
        status.underrunCount = mixedSound.outages.underrunCount
        status.refusedPackets = decoder.refusedPackets
        (status.error, status.drift) = (error, -servo.drift * 1e6)
        if let from = mixedSound.history.playhead ?? decoder.firstPosition {
            let rate = Double((status.sampleRate ?? deviceRate).hertz)
            status.bufferedSeconds = max(0, Double(decoder.endOfSound(from: from) - from) / rate)
        }
        status.playhead = mixedSound.history.playhead.map {
            RTPTime(rawValue: UInt32(truncatingIfNeeded: $0))
        }
        return status
    }
}
