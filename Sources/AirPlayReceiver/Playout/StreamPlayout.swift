public import AirPlayMessages
internal import ClockService
internal import Dispatch
public import MediaTime
internal import AudioOutput
internal import Synchronization

/// The sound of one stream on one speaker. Made by ``SpeakerOutput/makeSink(configuration:)``.
///
/// Safe from any thread; a call waits at most for a few milliseconds of mixing. The mixing thread of the speaker calls
/// ``mix(at:)``.
public final class StreamPlayout: StreamSink {
    /// Sound that lies mixed for the device, when it has come. A thread of ours or of the output's that gets no
    /// processor for so long is not heard.
    static let mixedSeconds = 0.3
    /// How often the mixing thread looks: at what is mixed, and for what has not come yet.
    private static let (turn, hurriedTurn) = (Duration.milliseconds(40), Duration.milliseconds(10))
    /// A packet that comes later than this before its time is late; two periods of a slow device.
    static let urgentSeconds = 0.025
    /// Most sound decoded beyond need between two looks at everything else.
    private static let packetsPerTurn = 32

    /// A start without an instant, until the device has read its first frame.
    private struct Beginning {
        var rtpTime: RTPTime
        var clock: ClockIdentity
        var started: @Sendable (HostTime?) -> Void
        /// When the mixing thread saw it first.
        var since: HostTime?
        /// The frame of the device that its sound was mixed for.
        var frame: Int64?
    }

    /// A device that takes no sound for so long does not keep time from running.
    private static let beginningLimit = Duration.seconds(1)

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
    private let desk: RenderDesk
    private let clock: any ReceiverClock
    private let deviceRate: SampleRate
    private let mixedFrames: Int64
    private let urgentFrames: Int64
    private let periodFrames: Int
    private let volumeCurve: VolumeCurve
    private let bufferBytes: Int
    private let wake: @Sendable () -> Void
    private let queue = DispatchQueue(label: "tutti.playout")

    init(
        desk: RenderDesk, deviceRate: SampleRate, periodFrames: Int, clock: any ReceiverClock,
        configuration: PlayoutConfiguration, wake: @escaping @Sendable () -> Void
    ) {
        let playout = Playout(configuration: configuration, deviceRate: deviceRate)
        state = Mutex(State(playout: playout))
        (self.desk, self.deviceRate, self.clock, self.wake) = (desk, deviceRate, clock, wake)
        let wanted = max(Int(Self.mixedSeconds * Double(deviceRate.hertz)), 3 * periodFrames)
        mixedFrames = Int64(min(wanted, RenderTrack.capacity - Playout.fillLimit))
        let urgent = max(Int(Self.urgentSeconds * Double(deviceRate.hertz)), 2 * periodFrames)
        urgentFrames = min(mixedFrames, Int64(urgent))
        self.periodFrames = periodFrames
        (volumeCurve, bufferBytes) = (configuration.volumeCurve, configuration.bufferBytes)
    }

    // MARK: StreamSink

    public var room: Int { state.withLock { $0.hasEnded ? 0 : $0.playout.lane.room } }

    public func append(_ packet: ReceivedPacket) {
        state.withLock { if !$0.hasEnded { $0.playout.append(packet) } }
    }

    public func notify(whenRoomFor bytes: Int, _ handler: @escaping @Sendable () -> Void) {
        let wanted = min(bytes, bufferBytes)
        let isFree = state.withLock { state in
            if state.hasEnded { return false }
            if state.playout.lane.room >= wanted { return true }
            state.waiting.append((wanted, handler))
            return false
        }
        if isFree { queue.async(execute: handler) }
    }

    public func play(along anchor: Anchor, on timeline: ClockIdentity) {
        state.withLock { if !$0.hasEnded { play(&$0, along: anchor, on: timeline) } }
        wake()
    }

    /// The beginning is mixed for the device here and now, and then looked at: the device may have asked for it meanwhile.
    public func playWhole(along anchor: Anchor, on timeline: ClockIdentity) -> Duration? {
        defer { wake() }
        return state.withLock { state in
            if state.hasEnded { return nil }
            guard let (time, next) = desk.deviceTime, let mapping = clock.mapping(of: timeline) else {
                play(&state, along: anchor, on: timeline)
                return nil
            }
            let device = DeviceLine(time: time, rate: deviceRate)
            func lateness(_ first: Int64) -> Duration {
                let earliest = time.playTime.advanced(
                    by: .nanoseconds(Int64(device.nanoseconds(to: first).rounded())))
                return earliest.since(mapping.hostTime(of: anchor.networkTime))
            }
            // Sound that is still to come may come late: it has the time of all that is mixed ahead, or more is asked for.
            let isHere = state.playout.holds(Self.urgentSeconds, from: anchor.rtpTime)
            var late = lateness(isHere ? next : next + mixedFrames)
            if !isHere, late > .zero {
                late = max(lateness(next + urgentFrames), .seconds(Self.urgentSeconds))
            }
            if late <= .zero {
                play(&state, along: anchor, on: timeline)
                guard isHere else { return nil }
                mix(&state, device, from: next)
                late = lateness(desk.deviceTime?.next ?? next)
                guard late > .zero else { return nil }
            }
            state.playout.pause()
            silence(&state)
            return late
        }
    }

    private func play(_ state: inout State, along anchor: Anchor, on timeline: ClockIdentity) {
        settleBeginning(&state)
        if state.playout.clock != timeline { state.mapping = nil }
        if state.beginning != nil { silence(&state) }
        state.playout.play(along: anchor, on: timeline)
        // Silence that was mixed up to an earlier anchor's instant may be too much for this one.
        if !state.playout.isSeated { silence(&state) }
    }

    /// Plays from `rtpTime` on as soon as its sound is here and the device takes it. The first frame that is heard is
    /// that one, however late the device or this process is.
    ///
    /// - Parameter started: told once, on a queue of ours, when that frame is heard, or `nil` if the device has taken
    ///   nothing within a second: nothing plays then. Not called if another start, a pause or a flush comes first.
    public func play(
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

    public func pause() {
        state.withLock { state in
            if state.hasEnded { return }
            state.playout.pause()
            silence(&state)
        }
    }

    public func flush(_ flush: FlushBuffered) {
        state.withLock { state in
            if state.hasEnded { return }
            // What the device still plays of it has its places.
            settleBeginning(&state)
            if state.playout.flush(flush) { silence(&state) }
            notifyWaiting(&state)
        }
        wake()
    }

    public func flush(before rtpTime: RTPTime) {
        state.withLock { state in
            if state.hasEnded { return }
            state.playout.flush(before: rtpTime)
            silence(&state)
            notifyWaiting(&state)
        }
        wake()
    }

    public func setVolume(_ volume: Volume) {
        state.withLock { if !$0.hasEnded { desk.setGain(volumeCurve.gain(for: volume)) } }
    }

    /// The factor for each sample, 0 ... 1, instead of a speaker's volume.
    public func setGain(_ gain: Float) { state.withLock { if !$0.hasEnded { desk.setGain(gain) } } }

    public func end() {
        state.withLock { state in
            if state.hasEnded { return }
            state.playout.pause()
            silence(&state)
            state.playout.removeAll()
            state.waiting.removeAll()
            state.hasEnded = true
        }
    }

    public var status: StreamStatus { state.withLock { $0.playout.status() } }

    // MARK: Mixing

    /// Does what is due: mixes ahead, decodes ahead, lets go of what was heard.
    ///
    /// - Returns: When it wants to be called again, from now; `nil` when nothing plays.
    func mix(at now: HostTime) -> Duration? {
        let pause: Duration? = state.withLock { state in
            if state.hasEnded { return nil }
            guard let (time, next) = desk.deviceTime else {
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
            let isMixed = desk.current.map { $0.end >= next + mixedFrames } ?? false
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
        if let track = desk.current,
            track.end < next || state.playout.isFarOff(at: next, device: device, mapping: mapping)
        {
            desk.takeOff()
            state.playout.unseat(from: next)
        }
        if let track = desk.current {
            fill(track, &state, device, mapping, from: next)
        } else if let index = desk.spare() {
            let track = desk.track(index)
            track.begin(at: next)
            state.playout.unseat(from: next)
            fill(track, &state, device, mapping, from: next)
            desk.putOn(index)
        }
    }

    private func updateMapping(_ state: inout State, of clock: ClockIdentity) {
        // A clock that fell silent goes on as it was.
        state.mapping = self.clock.mapping(of: clock) ?? state.mapping
    }

    private func fill(
        _ track: RenderTrack, _ state: inout State, _ device: DeviceLine, _ mapping: ClockMapping,
        from next: Int64, begins: Bool = false
    ) {
        while track.end < next + mixedFrames {
            // A start waits for its sound, and what is due later than that may still come.
            let waits = begins || track.end >= next + urgentFrames
            let limit = next + (waits ? mixedFrames : urgentFrames)
            let count = Int(min(limit - track.end, Int64(Playout.fillLimit)))
            let mixed = state.playout.fill(
                state.chunk, count: count, at: track.end, device: device, mapping: mapping, waits: waits)
            track.write(state.chunk, count: mixed)
            if mixed < count { return }
        }
    }

    /// Nothing is heard from the next period on, and what was mixed beyond it counts as not played.
    private func silence(_ state: inout State) {
        settleBeginning(&state)
        state.beginning = nil
        desk.takeOff()
        state.playout.unseat(from: desk.deviceTime?.next ?? .min)
    }

    // MARK: Beginning

    /// Mixes the first sound of a start without an instant, and gives it to the device, which begins it when it gets
    /// there.
    private func begin(_ state: inout State, _ device: DeviceLine, from next: Int64, at now: HostTime) {
        settleBeginning(&state)
        guard let beginning = state.beginning else { return }
        updateMapping(&state, of: beginning.clock)
        if let frame = beginning.frame, let track = desk.current, let mapping = state.mapping {
            // The device is about to begin; until then it waits at the first frame.
            fill(track, &state, device, mapping, from: frame)
        } else if let mapping = state.mapping, let index = desk.spare(),
            state.playout.begin(
                at: beginning.rtpTime, on: beginning.clock, with: next, device: device, mapping: mapping)
        {
            let track = desk.track(index)
            track.begin(at: next, floats: true)
            fill(track, &state, device, mapping, from: next, begins: true)
            if track.end > next {
                state.beginning?.frame = next
                desk.putOn(index)
            } else {
                state.playout.pause()
                state.playout.unseat(from: next)
            }
        }
        endBeginning(&state, at: now)
    }

    /// Learns when the device has begun.
    private func settleBeginning(_ state: inout State) {
        guard let beginning = state.beginning, let frame = beginning.frame, let mapping = state.mapping,
            let delay = desk.current?.delay, let (time, _) = desk.deviceTime
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
        guard now.since(since) >= Self.beginningLimit else { return }
        state.playout.pause()
        silence(&state)
        queue.async { beginning.started(nil) }
    }

    private func notifyWaiting(_ state: inout State) {
        if state.waiting.isEmpty { return }
        let room = state.playout.lane.room
        for (bytes, handler) in state.waiting where bytes <= room { queue.async(execute: handler) }
        state.waiting.removeAll { $0.bytes <= room }
    }
}
