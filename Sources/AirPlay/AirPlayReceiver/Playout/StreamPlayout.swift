import AirPlayMessages
import Synchronization
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// The playout of one stream on one speaker. Created by ``SpeakerOutput/makeSink(configuration:clock:)``.
///
/// Safe from any thread; a call blocks for at most a few milliseconds of mixing. The speaker's mixing thread
/// calls ``mix(at:)``.
package final class StreamPlayout: StreamSink {
    /// Seconds of audio to mix ahead of the device. Covers a mixing or output thread that is not scheduled
    /// for so long.
    static let mixedSeconds = 0.3
    /// Intervals of the mixing thread: normal, and while audio is missing or a start is pending.
    private static let (turn, hurriedTurn) = (Duration.milliseconds(40), Duration.milliseconds(10))
    /// Lead in seconds below which missing packets are mixed as silence; two periods of a slow device.
    static let urgentSeconds = 0.025
    /// Most packets decoded ahead in one turn of the mixing thread.
    private static let packetsPerTurn = 32

    /// A start without an instant, until the device has read its first frame.
    private struct Beginning {
        var rtpTime: RTPTime
        var clock: ClockIdentity
        var started: @Sendable (HostTime?) -> Void
        /// Host time of the first turn of the mixing thread.
        var since: HostTime?
        /// The device frame that the first frame was mixed for.
        var frame: Int64?
    }

    private struct State: ~Copyable {
        var playout: Playout
        var beginning: Beginning?
        var mapping: ClockMapping?
        var waiting: [(bytes: Int, handler: @Sendable () -> Void)] = []
        var hasEnded = false
        let chunk = UnsafeMutablePointer<Float>.allocate(capacity: Playout.fillLimit * 2)

        init(playout: consuming Playout) { self.playout = playout }

        deinit { chunk.deallocate() }
    }

    private let state: Mutex<State>
    let handoff: RenderHandoff
    private let clock: any ReceiverClock
    private let machine: any Machine
    private let deviceRate: SampleRate
    private let mixedFrames: Int64
    private let urgentFrames: Int64
    private let periodFrames: Int
    private let volumeCurve: VolumeCurve
    private let bufferBytes: Int
    private let wake: @Sendable () -> Void
    private let queue: SerialQueue

    init(
        handoff: RenderHandoff, deviceRate: SampleRate, periodFrames: Int, clock: any ReceiverClock,
        configuration: PlayoutConfiguration, machine: any Machine, wake: @escaping @Sendable () -> Void
    ) {
        let playout = Playout(configuration: configuration, deviceRate: deviceRate)
        state = Mutex(State(playout: playout))
        (self.handoff, self.deviceRate, self.wake) = (handoff, deviceRate, wake)
        (self.clock, self.machine) = (clock, machine)
        queue = machine.makeQueue("tutti.playout")
        let wanted = max(Int(Self.mixedSeconds * Double(deviceRate.hertz)), 3 * periodFrames)
        mixedFrames = Int64(min(wanted, RenderTrack.capacity - Playout.fillLimit))
        let urgent = max(Int(Self.urgentSeconds * Double(deviceRate.hertz)), 2 * periodFrames)
        urgentFrames = min(mixedFrames, Int64(urgent))
        self.periodFrames = periodFrames
        (volumeCurve, bufferBytes) = (configuration.volumeCurve, configuration.bufferBytes)
    }

    // MARK: StreamSink

    package var room: Int { state.withLock { $0.hasEnded ? 0 : $0.playout.decoder.room } }

    package func append(_ packet: ReceivedPacket) {
        state.withLock { if !$0.hasEnded { $0.playout.append(packet) } }
    }

    package func notify(whenRoomFor bytes: Int, _ handler: @escaping @Sendable () -> Void) {
        let wanted = min(bytes, bufferBytes)
        let isFree = state.withLock { state in
            if state.hasEnded { return false }
            if state.playout.decoder.room >= wanted { return true }
            state.waiting.append((wanted, handler))
            return false
        }
        if isFree { queue.async(execute: handler) }
    }

    package func play(along anchor: Anchor, on timeline: ClockIdentity) {
        state.withLock { if !$0.hasEnded { play(&$0, along: anchor, on: timeline) } }
        wake()
    }

    package func playNext(along anchor: Anchor, on timeline: ClockIdentity) {
        state.withLock { if !$0.hasEnded { play(&$0, along: anchor, on: timeline, isNext: true) } }
        wake()
    }

    /// Mixes the beginning on the calling thread, and then checks whether the device has asked for it
    /// meanwhile.
    package func playWhole(along anchor: Anchor, on timeline: ClockIdentity) -> Duration? {
        defer { wake() }
        return state.withLock { state in
            if state.hasEnded { return nil }
            guard let (time, next) = handoff.deviceTime, let mapping = clock.mapping(of: timeline) else {
                play(&state, along: anchor, on: timeline)
                return nil
            }
            let device = DeviceLine(time: time, rate: deviceRate)
            func lateness(_ first: Int64) -> Duration {
                let earliest = time.playTime.advanced(
                    by: .nanoseconds(Int64(device.nanoseconds(to: first).rounded())))
                return earliest.since(mapping.hostTime(of: anchor.networkTime))
            }
            // Packets that have not arrived may use the whole mixed-ahead time; if that is too short, demand
            // more lead.
            let isHere = state.playout.holds(Self.urgentSeconds, from: anchor.rtpTime)
            var late = lateness(isHere ? next : next + mixedFrames)
            if !isHere, late > .zero {
                late = max(lateness(next + urgentFrames), .seconds(Self.urgentSeconds))
            }
            if late <= .zero {
                play(&state, along: anchor, on: timeline)
                guard isHere else { return nil }
                mix(&state, device, from: next)
                late = lateness(handoff.deviceTime?.next ?? next)
                guard late > .zero else { return nil }
            }
            state.playout.pause()
            silence(&state)
            return late
        }
    }

    private func play(
        _ state: inout State, along anchor: Anchor, on timeline: ClockIdentity, isNext: Bool = false
    ) {
        settleBeginning(&state)
        if state.playout.clock != timeline { state.mapping = nil }
        if state.beginning != nil { silence(&state) }
        if isNext {
            state.playout.playNext(along: anchor, on: timeline)
        } else {
            state.playout.play(along: anchor, on: timeline)
        }
        // Silence mixed up to an earlier anchor's instant may be too long for this one.
        if !state.playout.hasPosition { silence(&state) }
    }

    /// Plays from `rtpTime` on as soon as its packets are here and the device takes them. That frame is the
    /// first one heard, however late the device or this process is.
    ///
    /// - Parameter started: Called once, on a private queue, with the host time at which that frame is heard,
    ///   or with `nil` if the device has taken nothing within a second; then nothing plays. Not called if
    ///   another start, a pause or a flush comes first.
    package func play(
        from rtpTime: RTPTime, on timeline: ClockIdentity, started: @escaping @Sendable (HostTime?) -> Void
    ) {
        state.withLock { state in
            if state.hasEnded { return }
            settleBeginning(&state)
            state.playout.pause()
            silence(&state)
            if state.playout.clock != timeline { state.mapping = nil }
            state.beginning = Beginning(rtpTime: rtpTime, clock: timeline, started: started)
        }
        wake()
    }

    package func pause() { _ = pauseTellingEnd() }

    package func pauseTellingEnd() -> RTPTime? {
        state.withLock { state in
            if state.hasEnded { return nil }
            state.playout.pause()
            return silenceWhenDue(&state)
        }
    }

    package func flush(_ flush: FlushBuffered) {
        state.withLock { state in
            if state.hasEnded { return }
            // Settle first: the device may still play flushed audio, which keeps its positions.
            settleBeginning(&state)
            if state.playout.flush(flush) { silence(&state) }
            notifyWaiting(&state)
        }
        wake()
    }

    package func flush(before rtpTime: RTPTime) {
        state.withLock { state in
            if state.hasEnded { return }
            state.playout.flush(before: rtpTime)
            silence(&state)
            notifyWaiting(&state)
        }
        wake()
    }

    package func setVolume(_ volume: Volume) {
        state.withLock { if !$0.hasEnded { handoff.setGain(volumeCurve.gain(for: volume)) } }
    }

    /// Sets the factor for each sample, 0 ... 1, instead of ``setVolume(_:)``.
    package func setGain(_ gain: Float) { state.withLock { if !$0.hasEnded { handoff.setGain(gain) } } }

    package func end() {
        state.withLock { state in
            if state.hasEnded { return }
            state.playout.pause()
            _ = silenceWhenDue(&state)
            state.playout.removeAll()
            state.waiting.removeAll()
            state.hasEnded = true
        }
    }

    package var status: StreamStatus { state.withLock { $0.playout.status() } }

    // MARK: Mixing

    /// Mixes ahead, decodes ahead and releases heard packets, as far as due. Mixing thread only.
    ///
    /// - Returns: The time until the next call; `nil` if nothing plays.
    func mix(at now: HostTime) -> Duration? {
        let pause: Duration? = state.withLock { state in
            if state.hasEnded { return nil }
            guard let (time, next) = handoff.deviceTime else {
                endBeginning(&state, at: now)
                return state.playout.isPlaying || state.beginning != nil ? Self.hurriedTurn : nil
            }
            let device = DeviceLine(time: time, rate: deviceRate)
            begin(&state, device, from: next, at: now)
            if state.beginning != nil { return Self.hurriedTurn }
            state.playout.heard(to: min(next, device.frame(at: now)))
            if state.playout.isPlaying { mix(&state, device, from: next) }
            notifyWaiting(&state)
            guard state.playout.isPlaying else { return nil }
            let isMixed = handoff.current.map { $0.end >= next + mixedFrames } ?? false
            return isMixed ? Self.turn : Self.hurriedTurn
        }
        for _ in 0..<Self.packetsPerTurn
        where state.withLock({ !$0.hasEnded && $0.playout.decodeAhead() }) == false {
            break
        }
        return pause
    }

    private func mix(_ state: inout State, _ device: DeviceLine, from next: Int64) {
        if let clock = state.playout.clock { updateMapping(&state, of: clock) }
        guard let mapping = state.mapping, state.playout.findLine() else { return }
        if let track = handoff.current, track.end >= next,
            !state.playout.isFarOff(at: next, device: device, mapping: mapping)
        {
            fill(track, &state, device, mapping, from: next)
        } else if let index = handoff.spare() {
            // The old track stays on until the new one is ready, because the device may ask meanwhile.
            let track = handoff.track(index)
            track.begin(at: next)
            state.playout.invalidateCursor(from: next)
            fill(track, &state, device, mapping, from: next)
            handoff.putOn(index)
        }
    }

    private func updateMapping(_ state: inout State, of clock: ClockIdentity) {
        // Extrapolate the last mapping of a clock that has fallen silent.
        state.mapping = self.clock.mapping(of: clock) ?? state.mapping
    }

    private func fill(
        _ track: RenderTrack, _ state: inout State, _ device: DeviceLine, _ mapping: ClockMapping,
        from next: Int64, begins: Bool = false
    ) {
        while track.end < next + mixedFrames {
            // A start waits for its packets, and so does audio that is not urgent yet.
            let waits = begins || track.end >= next + urgentFrames
            let limit = next + (waits ? mixedFrames : urgentFrames)
            let count = Int(min(limit - track.end, Int64(Playout.fillLimit)))
            let mixed = state.playout.fill(
                state.chunk, count: count, at: track.end, device: device, mapping: mapping, waits: waits)
            track.write(state.chunk, count: mixed)
            if mixed < count { return }
        }
    }

    /// Silences the output from its next period on, and counts audio mixed beyond it as not played.
    private func silence(_ state: inout State) {
        settleBeginning(&state)
        state.beginning = nil
        // A track that stops automatically plays what is due.
        if handoff.current != nil { handoff.takeOff() }
        state.playout.invalidateCursor(from: handoff.deviceTime?.next ?? .min)
    }

    /// Silences the output from now on. An output that is late, as on a busy machine, still plays the frames
    /// that were due before.
    ///
    /// - Returns: See ``StreamSink/pauseTellingEnd()``.
    private func silenceWhenDue(_ state: inout State) -> RTPTime? {
        settleBeginning(&state)
        guard state.beginning == nil, let track = handoff.current, let (time, next) = handoff.deviceTime
        else {
            silence(&state)
            return nil
        }
        let device = DeviceLine(time: time, rate: deviceRate)
        let due = min(device.frame(at: machine.now), track.end)
        guard due > next else {
            handoff.takeOff()
            let end = soundEnd(state.playout, notBefore: .min)
            silence(&state)
            return end
        }
        handoff.takeOff(at: due)
        let end = soundEnd(state.playout, notBefore: due)
        state.playout.invalidateCursor(from: due)
        return end
    }

    /// Returns the RTP time at which the sound of a stopped track ends, which an output that is late plays to this frame.
    private func soundEnd(_ playout: Playout, notBefore due: Int64) -> RTPTime? {
        guard let frame = handoff.soundEnd else { return nil }
        return playout.mixedSound.end(at: max(frame, due))
    }

    // MARK: Beginning

    /// Mixes the first audio of a start without an instant and activates it as a floating track.
    private func begin(_ state: inout State, _ device: DeviceLine, from next: Int64, at now: HostTime) {
        settleBeginning(&state)
        guard let beginning = state.beginning else { return }
        updateMapping(&state, of: beginning.clock)
        if let frame = beginning.frame, let track = handoff.current, let mapping = state.mapping {
            // The device has not begun yet: keep the first frames filled.
            fill(track, &state, device, mapping, from: frame)
        } else if let mapping = state.mapping, let index = handoff.spare(),
            state.playout.begin(
                at: beginning.rtpTime, on: beginning.clock, with: next, device: device, mapping: mapping)
        {
            let track = handoff.track(index)
            track.begin(at: next, floats: true)
            fill(track, &state, device, mapping, from: next, begins: true)
            if track.end > next {
                state.beginning?.frame = next
                handoff.putOn(index)
            } else {
                state.playout.pause()
                state.playout.invalidateCursor(from: next)
            }
        }
        endBeginning(&state, at: now)
    }

    /// Completes a start once the device has read its first frame.
    private func settleBeginning(_ state: inout State) {
        guard let beginning = state.beginning, let frame = beginning.frame, let mapping = state.mapping,
            let delay = handoff.current?.delay, let (time, _) = handoff.deviceTime
        else { return }
        state.beginning = nil
        let device = DeviceLine(time: time, rate: deviceRate)
        state.playout.begun(at: frame, delay: delay, device: device, mapping: mapping)
        let nanoseconds = device.nanoseconds(to: frame + delay)
        let instant = time.playTime.advanced(by: .nanoseconds(Int64(nanoseconds.rounded())))
        queue.async { beginning.started(instant) }
    }

    private func endBeginning(_ state: inout State, at now: HostTime) {
        guard let beginning = state.beginning else { return }
        let since = beginning.since ?? now
        state.beginning?.since = since
        guard now.since(since) >= state.playout.configuration.beginningLimit else { return }
        state.playout.pause()
        silence(&state)
        queue.async { beginning.started(nil) }
    }

    private func notifyWaiting(_ state: inout State) {
        if state.waiting.isEmpty { return }
        let room = state.playout.decoder.room
        for (bytes, handler) in state.waiting where bytes <= room { queue.async(execute: handler) }
        state.waiting.removeAll { $0.bytes <= room }
    }
}
