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
    private(set) var lane: PacketLane
    private(set) var servo = DriftServo()
    private var resamplers: [SampleRate: VariableRateResampler] = [:]
    private let scratch: MixScratch

    private(set) var isPlaying = false
    private(set) var clock: ClockIdentity?
    private var anchor: Anchor?
    private(set) var line: PlayLine?
    private(set) var seat: Seat?
    private var history = SeatHistory()

    private(set) var error = 0.0
    private(set) var missingFrames: Int64 = 0
    private(set) var underrunCount = 0
    /// Up to here missing frames were counted.
    private var countedTo: Int64?
    private var hasRunOut = false
    /// The place heard last.
    private(set) var playhead: Int64?

    init(
        configuration: PlayoutConfiguration, deviceRate: SampleRate,
        makeDecoder: @escaping (AudioWireFormat) -> (any PacketDecoder)? = WireDecoders.make
    ) {
        self.configuration = configuration
        self.deviceRate = deviceRate
        lane = PacketLane(configuration: configuration, makeDecoder: makeDecoder)
        scratch = MixScratch()
    }

    // MARK: What the session says

    mutating func append(_ packet: ReceivedPacket) { lane.append(packet, mixed: seat?.position) }

    /// Follows the line through this anchor. Near the present one it is approached, else taken at once.
    mutating func play(along anchor: Anchor, on clock: ClockIdentity) {
        if self.clock != clock { servo.forget() }
        (self.anchor, self.clock, isPlaying, line) = (anchor, clock, true, nil)
        hasRunOut = false
    }

    mutating func pause() {
        isPlaying = false
        (anchor, line) = (nil, nil)
    }

    /// - Returns: Whether what is mixed and not yet heard has to go.
    mutating func flush(_ flush: FlushBuffered) -> Bool {
        guard let from = flush.from else {
            lane.flush(until: flush.until)
            pause()
            (countedTo, playhead) = (nil, nil)
            return true
        }
        lane.flush(from: from, until: flush.until, mixed: seat?.position)
        return false
    }

    mutating func flush(before rtpTime: RTPTime) { lane.flush(before: rtpTime) }

    /// Whether a frame of the device has a place.
    var isSeated: Bool { seat != nil }

    /// The stream is over: memory goes, what was counted stays.
    mutating func removeAll() { lane.removeAll() }

    // MARK: What the driver says

    /// What was mixed from this frame of the device on will not be heard: the next fill begins anew.
    mutating func unseat(from frame: Int64) {
        seat = nil
        history.cut(from: frame)
    }

    /// Whether the sound at this frame is so far off its line that mixed sound should be thrown away.
    func isFarOff(at frame: Int64, device: DeviceLine, mapping: ClockMapping?) -> Bool {
        guard isPlaying, let line, let mapping, let place = history.place(at: frame) else { return false }
        let wanted = device.frames(of: line, at: frame, by: mapping)
        let error = (wanted - (Double(place.position - line.position) + place.fraction)) / Double(line.rate.hertz)
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

    private mutating func decodeNext() {
        let mixed = seat?.position ?? .min
        guard let due = lane.decodeNext(mixed: mixed), let end = lane.timeline.end else { return }
        // What should have been mixed before it came was silent.
        missingFrames += max(0, min(end, mixed) - max(due, startPosition ?? due))
    }

    /// The place of the first frame after the latest start.
    private var startPosition: Int64?

    // MARK: Frames

    /// Mixes `count` frames of stereo, interleaved, for the device's frames from `frame` on, which follow the ones before.
    ///
    /// - Returns: Whether there is anything but silence.
    @discardableResult
    mutating func fill(
        _ output: UnsafeMutablePointer<Float>, count: Int, at frame: Int64, device: DeviceLine,
        mapping: ClockMapping?
    ) -> Bool {
        memset(output, 0, count * 2 * MemoryLayout<Float>.stride)
        guard isPlaying, let mapping, findLine() else {
            seat = nil
            return false
        }
        let forward = mapping.rateRatio / device.time.rateRatio - 1
        var (done, isSound) = (0, false)
        var rate: Double?
        if seat == nil || seat?.frame != frame {
            seat = nil
            guard let skip = sit(at: frame, within: count, device, mapping, forward) else { return false }
            done = skip
        } else {
            rate = follow(frame, count: count, device, mapping, forward)
        }
        while done < count {
            let part = mix(output + done * 2, count: count - done, rate: rate)
            done += part.count
            isSound = isSound || part.isSound
        }
        return isSound
    }

    /// The line needs the rate of what is played, and so the first packet.
    ///
    /// - Returns: Whether there is one; else sound is held.
    mutating func findLine() -> Bool {
        if line != nil { return true }
        guard let anchor, let position = lane.position(of: anchor.rtpTime) else { return false }
        let index = lane.store.index(atPosition: position)
        guard index < lane.store.count || !lane.store.isEmpty else { return false }
        let packet = index < lane.store.count ? lane.store[index] : lane.store.last
        guard let rate = packet?.sampleRate else { return false }
        line = PlayLine(
            position: position, networkTime: anchor.networkTime, rate: rate,
            extraNanoseconds: configuration.latencyOffset * 1e9)
        // A new line for what is playing already.
        while let seat, let known = line, let change = lane.rateChange(on: known),
            change.position <= seat.position
        {
            line = known.changing(to: change.rate, at: change.position)
        }
        return true
    }

    /// Finds the place for `frame`, or for the first frame of `count` that has one.
    ///
    /// - Returns: Frames of silence before it; `nil` when all are.
    private mutating func sit(
        at frame: Int64, within count: Int, _ device: DeviceLine, _ mapping: ClockMapping, _ forward: Double
    ) -> Int? {
        guard var line, anchor != nil else { return nil }
        var wanted = device.frames(of: line, at: frame, by: mapping)
        // The line may have gone on past places where the rate changes.
        while wanted > 0, let change = lane.rateChange(on: line),
            Double(change.position - line.position) <= wanted
        {
            line = line.changing(to: change.rate, at: change.position)
            wanted = device.frames(of: line, at: frame, by: mapping)
        }
        servo.begin(forward: forward, canLock: line.rate == deviceRate)
        self.line = line
        let step = self.step(rate: servo.drift)
        let skip = wanted < 0 ? Int((min(-wanted / step, 0x1p40)).rounded()) : 0
        guard skip < count else { return nil }
        take(place: wanted + Double(skip) * step, on: line, frame: frame + Int64(skip))
        return skip
    }

    private mutating func take(place: Double, on line: PlayLine, frame: Int64) {
        let place = servo.mode == .locked ? place.rounded() : place
        let whole = place.rounded(.down)
        let position = line.position + Int64(max(-0x1p40, min(0x1p40, whole)))
        seat = Seat(frame: frame, position: position, fraction: place - whole)
        (startPosition, countedTo) = (position, max(position, countedTo ?? position))
        if let counted = countedTo, counted > position + 10 * Int64(line.rate.hertz) { countedTo = position }
        lane.seek(to: position - Int64(VariableRateResampler.framesBefore))
    }

    /// Moves the servo on, or the seat, if it is too far off.
    ///
    /// - Returns: The rate over nominal, less 1, for these frames; `nil` for the lasting one.
    private mutating func follow(
        _ frame: Int64, count: Int, _ device: DeviceLine, _ mapping: ClockMapping, _ forward: Double
    ) -> Double? {
        guard let line, var seat else { return nil }
        let hertz = Double(line.rate.hertz)
        let wanted = device.frames(of: line, at: frame, by: mapping)
        let place = Double(seat.position - line.position) + seat.fraction
        error = (wanted - place) / hertz
        guard abs(error) <= Self.reseatSeconds else {
            self.seat = nil
            servo.begin(forward: forward, canLock: line.rate == deviceRate)
            take(place: wanted, on: line, frame: frame)
            return nil
        }
        let seconds = Double(count) / Double(deviceRate.hertz)
        var rate = servo.update(error: error, forward: forward, seconds: seconds)
        if servo.isQuiet, line.rate == deviceRate {
            servo.dock(difference: line.position + Int64(wanted.rounded()) - frame)
        }
        if case .docking(let difference) = servo.mode {
            let distance = Double(frame + difference - seat.position) - seat.fraction
            if abs(distance) < 1e-3 {
                (seat.position, seat.fraction) = (frame + difference, 0)
                self.seat = seat
                servo.lock()
                return 0
            } else {
                rate = servo.dockingRate(error: distance / hertz)
            }
        }
        return rate
    }

    /// Frames of the source per frame of the device.
    private func step(rate: Double) -> Double {
        let nominal = Double((line?.rate ?? deviceRate).hertz) / Double(deviceRate.hertz)
        return nominal * (1 + rate)
    }

    /// Mixes up to `count` frames, as far as the rate stays the same.
    private mutating func mix(
        _ output: UnsafeMutablePointer<Float>, count: Int, rate: Double?
    ) -> (count: Int, isSound: Bool) {
        if let position = seat?.position, let actual = lane.timeline.rate(at: position), actual != line?.rate {
            cross(DecodedTimeline.RateChange(position: position, rate: actual))
        }
        guard var seat, let line else { return (count, false) }
        let step = self.step(rate: servo.mode == .locked ? 0 : rate ?? servo.drift)
        let needed = seat.position + Int64(Double(count) * step) + Int64(VariableRateResampler.framesAfter) + 2
        decode(to: needed)
        var frames = count
        let change = lane.timeline.rateChange(after: seat.position)
        if let change, change.position < needed {
            let left = (Double(change.position - seat.position) - seat.fraction) / step
            frames = max(0, min(count, Int(left.rounded(.up))))
        }
        let isSound = scratch.mix(
            lane.timeline, from: seat.position, fraction: seat.fraction, step: step, rate: line.rate,
            resampler: resampler(for: line.rate), into: output, count: frames)
        history.append(
            SeatHistory.Part(
                frame: seat.frame, count: Int64(frames), position: seat.position, fraction: seat.fraction,
                step: step))
        let before = seat.position
        advance(&seat, by: frames, step: step)
        self.seat = seat
        account(from: before, to: seat.position)
        if let change, seat.position >= change.position { cross(change) }
        return (frames, isSound)
    }

    private func advance(_ seat: inout Seat, by frames: Int, step: Double) {
        let place = seat.fraction + Double(frames) * step
        let whole = place.rounded(.down)
        seat.position += Int64(whole)
        seat.fraction = place - whole
        seat.frame += Int64(frames)
    }

    /// Goes on at another rate: the rest of a frame past the change is counted anew.
    private mutating func cross(_ change: DecodedTimeline.RateChange) {
        guard let old = line, var seat else { return }
        line = old.changing(to: change.rate, at: change.position)
        let past = max(0, Double(seat.position - change.position) + seat.fraction)
        let place = past * Double(change.rate.hertz) / Double(old.rate.hertz)
        let canLock = change.rate == deviceRate
        servo.begin(forward: servo.drift, canLock: canLock)
        let taken = servo.mode == .locked ? place.rounded() : place
        seat.position = change.position + Int64(taken.rounded(.down))
        seat.fraction = taken - taken.rounded(.down)
        self.seat = seat
    }

    private mutating func decode(to position: Int64) {
        while lane.hasMore, (lane.timeline.end ?? .min) < position { decodeNext() }
    }

    private mutating func resampler(for rate: SampleRate) -> VariableRateResampler {
        if let known = resamplers[rate] { return known }
        let made = VariableRateResampler(from: rate, to: deviceRate)
        resamplers[rate] = made
        return made
    }

    /// Counts what was silent, and whether sound ran out.
    private mutating func account(from: Int64, to: Int64) {
        let counted = max(from, countedTo ?? from)
        if counted < to {
            missingFrames += lane.timeline.missingFrames(in: counted..<to)
            countedTo = to
        }
        let isOut = (lane.timeline.end ?? .min) < to
        if isOut, !hasRunOut, lane.timeline.end != nil { underrunCount += 1 }
        hasRunOut = isOut
    }

    // MARK: Status

    /// Extended RTP time of the frame that is heard, with all that is there behind it.
    mutating func status() -> StreamStatus {
        var status = StreamStatus()
        status.isPlaying = isPlaying
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
