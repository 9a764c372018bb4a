import Glibc
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiResampling

// Assigns a position to each device frame and mixes its audio.
extension Playout {
    /// Mixes `count` frames of interleaved stereo for the device frames from `frame` on.
    ///
    /// - Parameter waits: Whether there is time to wait for packets that have not arrived, instead of mixing
    ///   silence.
    /// - Returns: The number of frames mixed; below `count` only if `waits` is true.
    @discardableResult
    mutating func fill(
        _ output: UnsafeMutablePointer<Float>, count: Int, at frame: Int64, device: DeviceLine,
        mapping: ClockMapping?, waits: Bool = false
    ) -> Int {
        let left = mapping.flatMap {
            framesBeforeLeap(at: frame, DeviceClock(device: device, mapping: $0))
        }
        guard isPlaying, let left, left < count else {
            return fillAlongLine(
                output, count: count, at: frame, device: device, mapping: mapping, waits: waits)
        }
        let rest = Int(left)
        if rest > 0 {
            let mixed = fillAlongLine(
                output, count: rest, at: frame, device: device, mapping: mapping, waits: waits)
            guard mixed == rest else { return mixed }
        }
        passLeap(at: frame + left)
        return rest
            + fillAlongLine(
                output + rest * 2, count: count - rest, at: frame + left, device: device, mapping: mapping,
                waits: waits)
    }

    private mutating func fillAlongLine(
        _ output: UnsafeMutablePointer<Float>, count: Int, at frame: Int64, device: DeviceLine,
        mapping: ClockMapping?, waits: Bool
    ) -> Int {
        memset(output, 0, count * 2 * MemoryLayout<Float>.stride)
        let time = mapping.map { DeviceClock(device: device, mapping: $0) }
        guard isPlaying, let time, time.isSane, findLine() else {
            cursor = nil
            return count
        }
        var (done, end) = (0, count)
        var rate: Double?
        if cursor == nil || cursor?.frame != frame {
            cursor = nil
            guard let skip = sit(at: frame, within: count, time) else { return count }
            done = skip
            if waits { end = skip + ready(count - skip) }
        } else {
            if waits { end = ready(count) }
            if end > 0 { rate = follow(frame, count: end, time) }
        }
        while done < end { done += mix(output + done * 2, count: end - done, rate: rate) }
        return end
    }

    /// Returns how many of `count` frames can be mixed from the packets that have arrived.
    private mutating func ready(_ count: Int) -> Int {
        guard let cursor else { return count }
        let step = self.step(rate: servo.drift)
        let behind = Int64(VariableRateResampler.framesAfter) + 2
        let needed = cursor.position + Int64(Double(count) * step) + behind
        decode(to: needed)
        guard let end = decoder.timeline.end else { return 0 }
        return end >= needed ? count : max(0, Int(Double(end - behind - cursor.position) / step))
    }

    /// Creates the line from the anchor, once a packet gives its position and rate.
    ///
    /// - Returns: Whether there is a line.
    mutating func findLine() -> Bool {
        if line != nil { return true }
        guard let anchor, let found = PlayLine(through: anchor, in: decoder, configuration) else {
            return false
        }
        line = found
        // The line is new but playback has passed rate changes on it already.
        while let cursor, let known = line, let change = decoder.rateChange(on: known),
            change.position <= cursor.position
        {
            line = known.changing(to: change.rate, at: change.position)
        }
        return true
    }

    /// Places the cursor at `frame`, or at the first of `count` frames that has audio due.
    ///
    /// - Returns: Frames of silence before that; `nil` if all are silent.
    private mutating func sit(at frame: Int64, within count: Int, _ time: DeviceClock) -> Int? {
        guard var line, anchor != nil else { return nil }
        var wanted = time.frames(of: line, at: frame)
        // The line may have passed rate changes since its anchor.
        while wanted > 0, let change = decoder.rateChange(on: line),
            Double(change.position - line.position) <= wanted
        {
            line = line.changing(to: change.rate, at: change.position)
            wanted = time.frames(of: line, at: frame)
        }
        wanted += beginServo(on: line, time)
        self.line = line
        let step = self.step(rate: servo.drift)
        var first = 0.0
        if hold.isActive {
            guard let place = placeAfterFlush(on: line, at: wanted, count) else { return nil }
            first = place
        }
        let skip = wanted < first ? Int((min((first - wanted) / step, 0x1p40)).rounded()) : 0
        guard skip < count else { return nil }
        take(place: wanted + Double(skip) * step, on: line, frame: frame + Int64(skip))
        hold.isActive = false
        return skip
    }

    /// Returns the first audible position after a flush, in frames on the line; `nil` for silence, while that
    /// position is late and waits for another line.
    private mutating func placeAfterFlush(on line: PlayLine, at wanted: Double, _ count: Int) -> Double? {
        guard let position = decoder.firstPosition else { return nil }
        let first = Double(position - line.position)
        guard wanted - first > Self.reseatSeconds * Double(line.rate.hertz) else { return first }
        if hold.waits(for: count, at: deviceRate) { return nil }
        mixedSound.outages.demand(position)
        return first
    }

    private mutating func take(place: Double, on line: PlayLine, frame: Int64) {
        let taken = RenderCursor(
            frame: frame, place: place, after: line.position, isWhole: servo.mode == .locked)
        cursor = taken
        mixedSound.begin(at: taken, second: Int64(line.rate.hertz), decoder)
        decoder.seek(to: taken.position - Int64(VariableRateResampler.framesBefore))
    }

    /// - Returns: The frames beyond the clock's line at which sound begins: where the line will be when a correction under way has
    ///   ended, if the sound goes frame for frame and so cannot follow it.
    private mutating func beginServo(on line: PlayLine, _ time: DeviceClock) -> Double {
        // Playback may go frame for frame if the device runs at the source's rate, as far as that is known.
        let canLock =
            line.rate == deviceRate && abs(time.device.time.rateRatio - 1) < DriftServo.lockDrift
            && abs(time.drift) < DriftServo.lockDrift + 2 * time.mapping.rateError
        servo.begin(forward: time.drift, canLock: canLock, slack: time.mapping.uncertainty.inSeconds)
        return servo.mode == .locked ? time.correction * Double(line.rate.hertz) : 0
    }

    /// Updates the servo, or jumps to the right position if the error exceeds ``reseatSeconds``.
    ///
    /// - Returns: The rate over nominal, less 1, for these frames; `nil` for the servo's drift.
    private mutating func follow(_ frame: Int64, count: Int, _ time: DeviceClock) -> Double? {
        guard let line, var cursor else { return nil }
        let wanted = time.frames(of: line, at: frame)
        error = (wanted - cursor.place(on: line)) / hertz
        let settled = servo.mode == .locked ? error + time.correction : error
        guard min(abs(error), abs(settled)) <= Self.reseatSeconds else {
            self.cursor = nil
            take(place: wanted + beginServo(on: line, time), on: line, frame: frame)
            return nil
        }
        let seconds = Double(count) / Double(deviceRate.hertz)
        let rate = servo.update(
            error: error, forward: time.drift, slew: time.slew, correction: time.correction, seconds: seconds,
            slack: time.uncertainty, rateError: time.mapping.rateError)
        if servo.isQuiet, line.rate == deviceRate {
            servo.dock(difference: line.position + Int64(wanted.rounded()) - frame)
        }
        guard case .docking(let difference) = servo.mode else { return rate }
        let distance = Double(frame + difference - cursor.position) - cursor.fraction
        guard abs(distance) < 1e-3 else { return servo.dockingRate(error: distance / hertz) }
        (cursor.position, cursor.fraction) = (frame + difference, 0)
        self.cursor = cursor
        servo.lock()
        return 0
    }

    /// Returns the source frames per device frame.
    private func step(rate: Double) -> Double {
        hertz / Double(deviceRate.hertz) * (1 + rate)
    }

    /// Mixes up to `count` frames, ending at a rate change.
    ///
    /// - Returns: The number of frames mixed.
    private mutating func mix(_ output: UnsafeMutablePointer<Float>, count: Int, rate: Double?) -> Int {
        if let position = cursor?.position, let actual = decoder.timeline.rate(at: position),
            actual != line?.rate
        {
            cross(DecodedTimeline.RateChange(position: position, rate: actual))
        }
        guard var cursor, let line else { return count }
        let step = self.step(rate: servo.mode == .locked ? 0 : rate ?? servo.drift)
        let needed =
            cursor.position + Int64(Double(count) * step) + Int64(VariableRateResampler.framesAfter) + 2
        decode(to: needed)
        var frames = count
        let change = decoder.timeline.rateChange(after: cursor.position)
        if let change, change.position < needed {
            let left = (Double(change.position - cursor.position) - cursor.fraction) / step
            frames = max(0, min(count, Int(left.rounded(.up))))
        }
        mixer.mix(
            decoder.timeline, from: cursor, step: step, rate: line.rate, into: output, count: frames)
        let before = cursor
        cursor.advance(by: Int64(frames), step: step)
        self.cursor = cursor
        mixedSound.add(
            from: before, to: cursor, step: step, decoder.timeline,
            patience: Int64(configuration.outageSeconds * hertz))
        if let change, cursor.position >= change.position { cross(change) }
        return frames
    }

    /// Switches the line and the cursor to another rate; rescales the part beyond the change.
    private mutating func cross(_ change: DecodedTimeline.RateChange) {
        guard let old = line, let cursor else { return }
        line = old.changing(to: change.rate, at: change.position)
        let past = max(0, Double(cursor.position - change.position) + cursor.fraction)
        let place = past * Double(change.rate.hertz) / Double(old.rate.hertz)
        servo.begin(forward: servo.drift, canLock: change.rate == deviceRate)
        self.cursor = RenderCursor(
            frame: cursor.frame, place: place, after: change.position, isWhole: servo.mode == .locked)
    }

    private mutating func decode(to position: Int64) {
        while decoder.hasMore, (decoder.timeline.end ?? .min) < position { decodeNext() }
    }
}
