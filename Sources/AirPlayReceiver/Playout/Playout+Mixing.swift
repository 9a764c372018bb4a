internal import AudioOutput
internal import ClockService
internal import Glibc
internal import MediaTime
import Resampling

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
        memset(output, 0, count * 2 * MemoryLayout<Float>.stride)
        guard isPlaying, let mapping, device.isSane(with: mapping), findLine() else {
            cursor = nil
            return count
        }
        let forward = mapping.rateRatio / device.time.rateRatio - 1
        var (done, end) = (0, count)
        var rate: Double?
        if cursor == nil || cursor?.frame != frame {
            cursor = nil
            guard let skip = sit(at: frame, within: count, device, mapping, forward) else { return count }
            done = skip
            if waits { end = skip + ready(count - skip) }
        } else {
            if waits { end = ready(count) }
            if end > 0 { rate = follow(frame, count: end, device, mapping, forward) }
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
        guard let anchor, let position = decoder.position(of: anchor.rtpTime) else { return false }
        let index = decoder.store.index(atPosition: position)
        guard index < decoder.store.count || !decoder.store.isEmpty else { return false }
        let packet = index < decoder.store.count ? decoder.store[index] : decoder.store.last
        guard let rate = packet?.sampleRate else { return false }
        line = PlayLine(
            position: position, networkTime: anchor.networkTime, rate: rate,
            extraNanoseconds: configuration.latencyOffset * 1e9)
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
    private mutating func sit(
        at frame: Int64, within count: Int, _ device: DeviceLine, _ mapping: ClockMapping, _ forward: Double
    ) -> Int? {
        guard var line, anchor != nil else { return nil }
        var wanted = device.frames(of: line, at: frame, by: mapping)
        // The line may have passed rate changes since its anchor.
        while wanted > 0, let change = decoder.rateChange(on: line),
            Double(change.position - line.position) <= wanted
        {
            line = line.changing(to: change.rate, at: change.position)
            wanted = device.frames(of: line, at: frame, by: mapping)
        }
        servo.begin(
            forward: forward, canLock: canLock(line, device), slack: mapping.uncertainty.inSeconds)
        self.line = line
        let step = self.step(rate: servo.drift)
        var first = 0.0
        if isFlushed {
            guard let place = firstPlaceBehindFlush(on: line, at: wanted, count) else { return nil }
            first = place
        }
        let skip = wanted < first ? Int((min((first - wanted) / step, 0x1p40)).rounded()) : 0
        guard skip < count else { return nil }
        take(place: wanted + Double(skip) * step, on: line, frame: frame + Int64(skip))
        isFlushed = false
        return skip
    }

    /// Decides whether the line leads to the first packet after a realtime flush.
    ///
    /// If that packet is late already, the line is still the one from before the pause. Playback then waits
    /// for the new line, ``flushPatienceSeconds`` at most.
    /// - Returns: The first audible position, in frames on the line; `nil` for silence.
    private mutating func firstPlaceBehindFlush(
        on line: PlayLine, at wanted: Double, _ count: Int
    ) -> Double? {
        guard let position = decoder.firstPosition else { return nil }
        let first = Double(position - line.position)
        let late = wanted - first
        guard late > Self.reseatSeconds * Double(line.rate.hertz) else { return first }
        flushWait += count
        guard Double(flushWait) > Self.flushPatienceSeconds * Double(deviceRate.hertz) else { return nil }
        resumePosition = position
        return first
    }

    private mutating func take(place: Double, on line: PlayLine, frame: Int64) {
        // Round to a whole frame, so that a start between two frames loses none.
        let place = servo.mode == .locked ? place.rounded(.toNearestOrEven) : place
        let whole = place.rounded(.down)
        let position = line.position + Int64(max(-0x1p40, min(0x1p40, whole)))
        cursor = RenderCursor(frame: frame, position: position, fraction: place - whole)
        countPassedOver(to: position)
        countedTo = max(position, countedTo ?? position)
        if let counted = countedTo, counted > position + 10 * Int64(line.rate.hertz) { countedTo = position }
        decoder.seek(to: position - Int64(VariableRateResampler.framesBefore))
    }

    /// Counts audio that the device skipped because nothing was mixed in time, the clock was unknown, or the
    /// line moved by more than ``reseatSeconds``.
    private mutating func countPassedOver(to position: Int64) {
        let from = resumePosition
        resumePosition = nil
        // Audio that has not arrived is counted by the packet that ends the outage.
        let end = decoder.hasMore ? nil : decoder.timeline.end
        if let from, position > from + 1 { missingFrames += max(0, min(position, end ?? position) - from) }
        if from == nil || end == nil || decoder.timeline.covers(position) { startPosition = position }
    }

    /// Updates the servo, or jumps to the right position if the error exceeds ``reseatSeconds``.
    ///
    /// - Returns: The rate over nominal, less 1, for these frames; `nil` for the servo's drift.
    private mutating func follow(
        _ frame: Int64, count: Int, _ device: DeviceLine, _ mapping: ClockMapping, _ forward: Double
    ) -> Double? {
        guard let line, var cursor else { return nil }
        let hertz = Double(line.rate.hertz)
        let wanted = device.frames(of: line, at: frame, by: mapping)
        let place = Double(cursor.position - line.position) + cursor.fraction
        error = (wanted - place) / hertz
        guard abs(error) <= Self.reseatSeconds else {
            self.cursor = nil
            servo.begin(
                forward: forward, canLock: canLock(line, device), slack: mapping.uncertainty.inSeconds)
            take(place: wanted, on: line, frame: frame)
            return nil
        }
        let seconds = Double(count) / Double(deviceRate.hertz)
        var rate = servo.update(
            error: error, forward: forward, seconds: seconds, slack: mapping.uncertainty.inSeconds)
        if servo.isQuiet, line.rate == deviceRate {
            servo.dock(difference: line.position + Int64(wanted.rounded()) - frame)
        }
        if case .docking(let difference) = servo.mode {
            let distance = Double(frame + difference - cursor.position) - cursor.fraction
            if abs(distance) < 1e-3 {
                (cursor.position, cursor.fraction) = (frame + difference, 0)
                self.cursor = cursor
                servo.lock()
                return 0
            } else {
                rate = servo.dockingRate(error: distance / hertz)
            }
        }
        return rate
    }

    /// Returns the source frames per device frame.
    private func step(rate: Double) -> Double {
        let nominal = Double((line?.rate ?? deviceRate).hertz) / Double(deviceRate.hertz)
        return nominal * (1 + rate)
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
        scratch.mix(
            decoder.timeline, from: cursor.position, fraction: cursor.fraction, step: step, rate: line.rate,
            resampler: resampler(for: line.rate), into: output, count: frames)
        history.append(
            CursorHistory.Part(
                frame: cursor.frame, count: Int64(frames), position: cursor.position,
                fraction: cursor.fraction,
                step: step))
        let before = cursor.position
        advance(&cursor, by: frames, step: step)
        self.cursor = cursor
        resumePosition = cursor.position
        account(from: before, to: cursor.position)
        if let change, cursor.position >= change.position { cross(change) }
        return frames
    }

    private func advance(_ cursor: inout RenderCursor, by frames: Int, step: Double) {
        let place = cursor.fraction + Double(frames) * step
        let whole = place.rounded(.down)
        cursor.position += Int64(whole)
        cursor.fraction = place - whole
        cursor.frame += Int64(frames)
    }

    /// Whether playback may go frame for frame: the device runs at the source's rate.
    private func canLock(_ line: PlayLine, _ device: DeviceLine) -> Bool {
        line.rate == deviceRate && abs(device.time.rateRatio - 1) < DriftServo.lockDrift
    }

    /// Switches the line and the cursor to another rate; rescales the part beyond the change.
    private mutating func cross(_ change: DecodedTimeline.RateChange) {
        guard let old = line, var cursor else { return }
        line = old.changing(to: change.rate, at: change.position)
        let past = max(0, Double(cursor.position - change.position) + cursor.fraction)
        let place = past * Double(change.rate.hertz) / Double(old.rate.hertz)
        let canLock = change.rate == deviceRate
        servo.begin(forward: servo.drift, canLock: canLock)
        let taken = servo.mode == .locked ? place.rounded(.toNearestOrEven) : place
        cursor.position = change.position + Int64(taken.rounded(.down))
        cursor.fraction = taken - taken.rounded(.down)
        self.cursor = cursor
    }

    private mutating func decode(to position: Int64) {
        while decoder.hasMore, (decoder.timeline.end ?? .min) < position { decodeNext() }
    }

    private mutating func resampler(for rate: SampleRate) -> VariableRateResampler {
        if let known = resamplers[rate] { return known }
        let made = VariableRateResampler(from: rate, to: deviceRate)
        resamplers[rate] = made
        return made
    }

    /// Updates the counts of missing frames and underruns.
    private mutating func account(from: Int64, to: Int64) {
        let counted = max(from, countedTo ?? from)
        if counted < to {
            missingFrames += decoder.timeline.missingFrames(in: counted..<to)
            countedTo = to
        }
        let isOut = (decoder.timeline.end ?? .min) < to
        if isOut, !hasRunOut, decoder.timeline.end != nil { underrunCount += 1 }
        hasRunOut = isOut
    }
}
