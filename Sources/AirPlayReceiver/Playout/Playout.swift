internal import AirPlayMessages
internal import AudioOutput
internal import ClockService
internal import Glibc
internal import MediaTime
import Resampling

/// The playout of one stream, as a value: packets, anchors, clocks and device times in, frames out.
///
/// The driver requests consecutive device frames (``fill(_:count:at:device:mapping:waits:)``) a little ahead
/// of the device, and reports how far the device has come (``heard(to:)``). Positions are RTP times that do
/// not wrap. Each device frame is resampled at a fractional position of the decoded timeline. The
/// ``DriftServo`` sets the step between positions so that they stay on the line through the anchor.
struct Playout {
    /// The error, in seconds, above which playback jumps to the right position instead of drifting there.
    static let reseatSeconds = 0.005
    /// Longest wait for a new line after a realtime flush: senders announce theirs every second.
    static let flushPatienceSeconds = 1.2
    /// Encoded audio to keep before the heard position, for a new line that goes back.
    static let keptSeconds = 1.0
    /// Most frames of one ``fill(_:count:at:device:mapping:waits:)``.
    static let fillLimit = 512

    /// The render cursor: the position that the next device frame gets.
    struct RenderCursor {
        var frame: Int64
        var position: Int64
        /// The fraction of a frame, 0 ..< 1.
        var fraction: Double
    }

    let configuration: PlayoutConfiguration
    let deviceRate: SampleRate
    var decoder: StreamDecoder
    var servo = DriftServo()
    var resamplers: [SampleRate: VariableRateResampler] = [:]
    let scratch: MixScratch

    var isPlaying = false
    var clock: ClockIdentity?
    var anchor: Anchor?
    var line: PlayLine?
    var cursor: RenderCursor?
    var history = CursorHistory()

    var error = 0.0
    var missingFrames: Int64 = 0
    var underrunCount = 0
    /// Position up to which missing frames have been counted.
    var countedTo: Int64?
    var hasRunOut = false
    /// The position at which the line has to continue without a gap; `nil` at a start and after a jump that
    /// the sender wants.
    var resumePosition: Int64?
    /// Whether a realtime flush came and no device frame has had a position since.
    var isFlushed = false
    /// Device frames that passed while the first packet after a flush waited for a line.
    var flushWait = 0
    /// The position last heard.
    var playhead: Int64?

    init(
        configuration: PlayoutConfiguration, deviceRate: SampleRate,
        makeDecoder: @escaping (AudioWireFormat) -> (any PacketDecoder)? = WireDecoders.make
    ) {
        self.configuration = configuration
        self.deviceRate = deviceRate
        servo.lockError = configuration.lockError
        decoder = StreamDecoder(configuration: configuration, makeDecoder: makeDecoder)
        scratch = MixScratch()
        // Build the resamplers now rather than when the first frame is due.
        for rate in [SampleRate.hz44100, .hz48000] {
            resamplers[rate] = VariableRateResampler(from: rate, to: deviceRate)
        }
    }

    // MARK: Calls from the session

    mutating func append(_ packet: ReceivedPacket) { decoder.append(packet, mixed: cursor?.position) }

    /// Follows the line through this anchor: drifts there if the current position is near, else jumps.
    mutating func play(along anchor: Anchor, on clock: ClockIdentity) {
        if self.clock != clock { servo.forget() }
        (self.anchor, self.clock, isPlaying, line) = (anchor, clock, true, nil)
        (hasRunOut, resumePosition) = (false, nil)
    }

    mutating func pause() {
        isPlaying = false
        (anchor, line, resumePosition) = (nil, nil, nil)
    }

    /// - Returns: Whether to discard audio that is mixed and not yet heard.
    mutating func flush(_ flush: FlushBuffered) -> Bool {
        guard let from = flush.from else {
            decoder.flush(until: flush.until)
            pause()
            isFlushed = false
            // The history of old audio does not apply to new positions.
            (countedTo, playhead, history) = (nil, nil, CursorHistory())
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
        (cursor, countedTo, playhead, startPosition, history) = (nil, nil, nil, nil, CursorHistory())
        resumePosition = nil
        (isFlushed, flushWait, hasRunOut) = (true, 0, false)
    }

    /// Whether the next device frame has a position.
    var isSeated: Bool { cursor != nil }

    /// Frees the packets at the end of the stream; keeps the counts.
    mutating func removeAll() { decoder.removeAll() }

    // MARK: Calls from the driver

    /// Discards audio mixed from this device frame on; the next fill starts anew.
    mutating func invalidateCursor(from frame: Int64) {
        cursor = nil
        if let from = resumePosition, let place = history.place(at: frame) {
            resumePosition = min(from, place.position)
        }
        history.cut(from: frame)
    }

    /// Returns whether the audio at this frame, or the first after it, is so far off its line that it should
    /// be discarded.
    func isFarOff(at frame: Int64, device: DeviceLine, mapping: ClockMapping?) -> Bool {
        guard isPlaying, let line, let mapping, device.isSane(with: mapping),
            let place = history.nextPlace(from: frame)
        else { return false }
        let wanted = device.frames(of: line, at: place.frame, by: mapping)
        let error =
            (wanted - (Double(place.position - line.position) + place.fraction)) / Double(line.rate.hertz)
        return abs(error) > Self.reseatSeconds
    }

    /// Moves the playhead to the device frame heard now, and releases earlier packets.
    mutating func heard(to frame: Int64) {
        if let place = history.place(at: frame) {
            playhead = place.position
            history.drop(before: frame)
        }
        guard let playhead else { return }
        let rate = Double((line?.rate ?? deviceRate).hertz)
        let mixed = cursor.map { $0.position - Int64(VariableRateResampler.framesBefore) - 2 }
        decoder.release(heard: playhead, mixed: mixed, kept: Int64(Self.keptSeconds * rate))
    }

    /// Decodes one packet unless the wanted lead is decoded already.
    ///
    /// - Returns: Whether there may be more to decode.
    mutating func decodeAhead() -> Bool {
        guard let cursor, decoder.hasMore else { return false }
        let rate = Double((line?.rate ?? deviceRate).hertz)
        let ahead = Double((decoder.timeline.end ?? cursor.position) - cursor.position)
        guard ahead < configuration.decodedSeconds * rate else { return false }
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
        // Audio that arrived after its device frames were mixed has been silent.
        missingFrames += max(0, min(end, mixed) - max(due, startPosition ?? due))
    }

    /// The position of the first frame since the last start.
    var startPosition: Int64?

    // MARK: Status

    /// Returns a snapshot of the stream's state and counts.
    mutating func status() -> StreamStatus {
        var status = StreamStatus()
        // A flushed realtime stream counts as paused until new packets arrive.
        status.isPlaying = isPlaying && !isFlushed
        status.sampleRate = line?.rate ?? decoder.timeline.last?.rate
        status.heldBytes = decoder.store.heldBytes
        status.missingFrames = missingFrames
        status.underrunCount = underrunCount
        status.refusedPackets = decoder.refusedPackets
        (status.error, status.drift) = (error, -servo.drift * 1e6)
        let from = playhead ?? decoder.firstPosition
        if let from {
            let rate = Double((status.sampleRate ?? deviceRate).hertz)
            status.bufferedSeconds = max(0, Double(decoder.endOfSound(from: from) - from) / rate)
        }
        if let playhead { status.playhead = RTPTime(rawValue: UInt32(truncatingIfNeeded: playhead)) }
        return status
    }
}
