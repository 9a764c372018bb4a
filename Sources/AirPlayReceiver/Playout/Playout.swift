internal import AirPlayMessages
internal import AudioOutput
internal import ClockService
internal import Glibc
internal import MediaTime
import Resampling

/// One stream's sound at its time, as a value: packets, anchors, clocks and device times go in, frames come out.
///
/// Whoever drives it asks for the frames of the device one after the other (``fill(_:count:at:device:mapping:)``), a
/// little ahead of the device, and says how far the device has come (``heard(to:mixedUntil:)``). Places are RTP times
/// that do not wrap. The sound of a device frame is read from the decoded timeline at a place between two frames; that
/// place moves on by a step that the ``DriftServo`` sets, so that it stays on the line through the anchor.
struct Playout {
    /// Farther than this from the line, playing goes on at the right place at once instead of drifting there.
    static let reseatSeconds = 0.005
    /// Longest wait for a new line behind a realtime flush: senders announce theirs every second.
    static let flushPatienceSeconds = 1.2
    /// Encoded sound behind the heard place that a new line may go back to.
    static let keptSeconds = 1.0
    /// Most frames of one ``fill(_:count:at:device:mapping:)``.
    static let fillLimit = 512

    /// The place that the next frame of the device gets.
    struct Seat {
        var frame: Int64
        var position: Int64
        /// 0 ..< 1.
        var fraction: Double
    }

    let configuration: PlayoutConfiguration
    let deviceRate: SampleRate
    var lane: PacketLane
    var servo = DriftServo()
    var resamplers: [SampleRate: VariableRateResampler] = [:]
    let scratch: MixScratch

    var isPlaying = false
    var clock: ClockIdentity?
    var anchor: Anchor?
    var line: PlayLine?
    var seat: Seat?
    var history = SeatHistory()

    var error = 0.0
    var missingFrames: Int64 = 0
    var underrunCount = 0
    /// Up to here missing frames were counted.
    var countedTo: Int64?
    var hasRunOut = false
    /// The place at which the present line has to go on for nothing to be left out; `nil` at a start and behind a jump
    /// that the sender wants.
    var resumePosition: Int64?
    /// A realtime flush came, and no frame of the device has had a place since.
    var isFlushed = false
    /// Frames of the device that passed while the first packet behind a flush waited for a line.
    var flushWait = 0
    /// The place heard last.
    var playhead: Int64?

    init(
        configuration: PlayoutConfiguration, deviceRate: SampleRate,
        makeDecoder: @escaping (AudioWireFormat) -> (any PacketDecoder)? = WireDecoders.make
    ) {
        self.configuration = configuration
        self.deviceRate = deviceRate
        servo.lockError = configuration.lockError
        lane = PacketLane(configuration: configuration, makeDecoder: makeDecoder)
        scratch = MixScratch()
        // Not when the first frame is due.
        for rate in [SampleRate.hz44100, .hz48000] {
            resamplers[rate] = VariableRateResampler(from: rate, to: deviceRate)
        }
    }

    // MARK: What the session says

    mutating func append(_ packet: ReceivedPacket) { lane.append(packet, mixed: seat?.position) }

    /// Follows the line through this anchor. Near the present one it is approached, else taken at once.
    mutating func play(along anchor: Anchor, on clock: ClockIdentity) {
        if self.clock != clock { servo.forget() }
        (self.anchor, self.clock, isPlaying, line) = (anchor, clock, true, nil)
        (hasRunOut, resumePosition) = (false, nil)
    }

    mutating func pause() {
        isPlaying = false
        (anchor, line, resumePosition) = (nil, nil, nil)
    }

    /// - Returns: Whether what is mixed and not yet heard has to go.
    mutating func flush(_ flush: FlushBuffered) -> Bool {
        guard let from = flush.from else {
            lane.flush(until: flush.until)
            pause()
            isFlushed = false
            // What the device still plays of the old sound says nothing about the places of the new.
            (countedTo, playhead, history) = (nil, nil, SeatHistory())
            return true
        }
        lane.flush(from: from, until: flush.until, mixed: seat?.position)
        return false
    }

    /// Forgets realtime packets before `rtpTime`, and where the device was.
    ///
    /// The present line stays only as long as the first packet behind the flush is ahead on it: a sender that pauses
    /// goes on later along a new line, whose announcement may arrive behind the first packets.
    mutating func flush(before rtpTime: RTPTime) {
        lane.flush(before: rtpTime)
        (seat, countedTo, playhead, startPosition, history) = (nil, nil, nil, nil, SeatHistory())
        resumePosition = nil
        (isFlushed, flushWait, hasRunOut) = (true, 0, false)
    }

    /// Whether a frame of the device has a place.
    var isSeated: Bool { seat != nil }

    /// The stream is over: memory goes, what was counted stays.
    mutating func removeAll() { lane.removeAll() }

    // MARK: What the driver says

    /// What was mixed from this frame of the device on will not be heard: the next fill begins anew.
    mutating func unseat(from frame: Int64) {
        seat = nil
        if let from = resumePosition, let place = history.place(at: frame) {
            resumePosition = min(from, place.position)
        }
        history.cut(from: frame)
    }

    /// Whether the sound at this frame, or the first behind it, is so far off its line that mixed sound should be thrown away.
    func isFarOff(at frame: Int64, device: DeviceLine, mapping: ClockMapping?) -> Bool {
        let frame = max(frame, history.firstFrame ?? frame)
        guard isPlaying, let line, let mapping, device.isSane(with: mapping),
            let place = history.place(at: frame)
        else { return false }
        let wanted = device.frames(of: line, at: frame, by: mapping)
        let error =
            (wanted - (Double(place.position - line.position) + place.fraction)) / Double(line.rate.hertz)
        return abs(error) > Self.reseatSeconds
    }

    /// Says which frame of the device is heard now; what was heard is let go.
    mutating func heard(to frame: Int64) {
        if let place = history.place(at: frame) {
            playhead = place.position
            history.drop(before: frame)
        }
        guard let playhead else { return }
        let rate = Double((line?.rate ?? deviceRate).hertz)
        let mixed = seat.map { $0.position - Int64(VariableRateResampler.framesBefore) - 2 }
        lane.release(heard: playhead, mixed: mixed, kept: Int64(Self.keptSeconds * rate))
    }

    /// Decodes one packet if less than the wanted lead is decoded.
    ///
    /// - Returns: Whether there may be more to do.
    mutating func decodeAhead() -> Bool {
        guard let seat, lane.hasMore else { return false }
        let rate = Double((line?.rate ?? deviceRate).hertz)
        let ahead = Double((lane.timeline.end ?? seat.position) - seat.position)
        guard ahead < configuration.decodedSeconds * rate else { return false }
        decodeNext()
        return true
    }

    /// Whether sound for so many seconds from this place on has come.
    mutating func holds(_ seconds: Double, from rtpTime: RTPTime) -> Bool {
        guard let position = lane.position(of: rtpTime) else { return false }
        let rate = Double((lane.timeline.last?.rate ?? deviceRate).hertz)
        return Double(lane.endOfSound(from: position) - position) >= seconds * rate
    }

    mutating func decodeNext() {
        let mixed = seat?.position ?? .min
        guard let due = lane.decodeNext(mixed: mixed), let end = lane.timeline.end else { return }
        // What should have been mixed before it came was silent.
        missingFrames += max(0, min(end, mixed) - max(due, startPosition ?? due))
    }

    /// The place of the first frame after the latest start.
    var startPosition: Int64?

    // MARK: Status

    /// Extended RTP time of the frame that is heard, with all that is there behind it.
    mutating func status() -> StreamStatus {
        var status = StreamStatus()
        // A flushed realtime stream is paused until its sound comes again.
        status.isPlaying = isPlaying && !isFlushed
        status.sampleRate = line?.rate ?? lane.timeline.last?.rate
        status.heldBytes = lane.store.heldBytes
        status.missingFrames = missingFrames
        status.underrunCount = underrunCount
        status.refusedPackets = lane.refusedPackets
        (status.error, status.drift) = (error, -servo.drift * 1e6)
        let from = playhead ?? lane.firstPosition
        if let from {
            let rate = Double((status.sampleRate ?? deviceRate).hertz)
            status.bufferedSeconds = max(0, Double(lane.endOfSound(from: from) - from) / rate)
        }
        if let playhead { status.playhead = RTPTime(rawValue: UInt32(truncatingIfNeeded: playhead)) }
        return status
    }
}
