import AirPlayMessages
import AirPlayReceiver
import Synchronization
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// The sink of a stream that reads in bursts, starves, or stays silent.
///
/// A silent stream takes its packets and forgets them, so that the sender sees nothing of it.
final class MannerlySink: StreamSink {
    private struct State {
        /// Bytes taken in the present burst.
        var taken = 0
        var pausedUntil: HostTime?
        /// The sender's connections that wait for the end of the pause.
        var paused: [@Sendable () -> Void] = []
        var line: (anchor: Anchor, clock: ClockIdentity)?
        /// Whether the packets of a realtime stream come early enough; `nil` before the first with a line.
        var isDeepEnough: Bool?
        var waiting: [ReceivedPacket] = []
        /// The packets since the beginning or the last flush.
        var sinceFlush = 0
    }

    /// Bytes of one burst: three seconds of unpacked sound, twice as long as the usual pause.
    private static let burstBytes = 512 << 10
    /// Bytes on their way at a flush, which the device reads and drops, and a first filling.
    private static let oldBytes = 2 << 20
    /// Most packets that wait for the line.
    private static let waitingLimit = 1024

    private let inner: any StreamSink
    private let stream: StreamDescription
    private let manners: MannerSet
    private let sound: SoundState
    private let report: Report
    private let machine: any Machine
    private let state = Mutex(State())
    private let queue: SerialQueue

    init(
        _ inner: any StreamSink, _ stream: StreamDescription, _ manners: MannerSet, sound: SoundState,
        machine: any Machine, report: @escaping Report
    ) {
        (self.inner, self.stream, self.manners, self.sound) = (inner, stream, manners, sound)
        (self.machine, self.report) = (machine, report)
        queue = machine.makeQueue("standin.reading")
    }

    // MARK: Reading

    var room: Int {
        let now = machine.now
        let isPaused = state.withLock { state in state.pausedUntil.map { now < $0 } ?? false }
        return isPaused ? 0 : inner.room
    }

    func notify(whenRoomFor bytes: Int, _ handler: @escaping @Sendable () -> Void) {
        let now = machine.now
        let until = state.withLock { state -> HostTime? in
            guard let until = state.pausedUntil, now < until else { return nil }
            state.paused.append { [inner] in inner.notify(whenRoomFor: bytes, handler) }
            return until
        }
        guard let until else { return inner.notify(whenRoomFor: bytes, handler) }
        queue.async(after: until.since(now)) { [weak self] in self?.endPause(until) }
    }

    /// Reads on.
    ///
    /// - Parameter end: The end of the pause, which is due; `nil` if the pause ends early, because nothing is left to play.
    private func endPause(_ end: HostTime?) {
        let paused = state.withLock { state in
            if end == nil { state.taken = -Self.oldBytes }
            // Another pause may have begun meanwhile.
            if end == nil || state.pausedUntil == end { state.pausedUntil = nil }
            defer { state.paused = [] }
            return state.paused
        }
        for resume in paused { resume() }
    }

    private func countBurst(_ packet: ReceivedPacket) {
        guard let pause = manners.time(.readsInBursts), stream.kind == .buffered else { return }
        let now = machine.now
        let hasEnded = state.withLock { state in
            state.taken += packet.byteCount
            guard state.taken >= Self.burstBytes else { return false }
            state.taken = 0
            state.pausedUntil = now.advanced(by: pause)
            return true
        }
        if hasEnded { report(.readsInBursts, "paused") }
    }

    // MARK: Packets

    func append(_ packet: ReceivedPacket) {
        countBurst(packet)
        // The line of a realtime stream may come long before its sound.
        if stream.kind == .realtime { sound.begin() }
        if let manner = sound.silencing { return report(manner, "silent") }
        if packet.format == .alac48000x24, manners.has(.silentAt48000x24) {
            return report(.silentAt48000x24, "silent")
        }
        if packet.format.codec == .alac, stream.kind == .buffered, manners.has(.silentAtBufferedALAC) {
            return report(.silentAtBufferedALAC, "silent")
        }
        if stream.kind == .realtime, manners.has(.mutesBeginnings), isMuted() {
            return report(.mutesBeginnings, "muted")
        }
        guard let least = manners.time(.wantsQueue), stream.kind == .realtime else {
            return inner.append(packet)
        }
        let now = machine.now
        let (ready, starved) = state.withLock { state in
            state.waiting.append(packet)
            judge(&state, least, at: now)
            return take(&state)
        }
        if starved { report(.wantsQueue, "silent") }
        for packet in ready { inner.append(packet) }
    }

    /// Counts a packet, and returns whether it is one of the first nine.
    private func isMuted() -> Bool {
        state.withLock { state in
            state.sinceFlush += 1
            return state.sinceFlush < 10
        }
    }

    /// Decides by the first packet after a start whether the sender's queue is deep enough.
    private func judge(_ state: inout State, _ least: Duration, at now: HostTime) {
        guard state.isDeepEnough == nil, let first = state.waiting.first, let line = state.line,
            let mapping = stream.clock.mapping(of: line.clock)
        else { return }
        let timeline = AnchoredTimeline(anchor: line.anchor, sampleRate: first.format.sampleRate)
        state.isDeepEnough =
            mapping.hostTime(of: timeline.networkTime(of: first.rtpTime)).since(now) >= least
    }

    private func take(_ state: inout State) -> (ready: [ReceivedPacket], isStarved: Bool) {
        guard let isDeepEnough = state.isDeepEnough else {
            if state.waiting.count > Self.waitingLimit { state.waiting.removeFirst() }
            return ([], false)
        }
        defer { state.waiting = [] }
        return isDeepEnough ? (state.waiting, false) : ([], true)
    }

    // MARK: Commands

    func play(along anchor: Anchor, on timeline: ClockIdentity) {
        begin(anchor, timeline)
        inner.play(along: anchor, on: timeline)
    }

    func playWhole(along anchor: Anchor, on timeline: ClockIdentity) -> Duration? {
        begin(anchor, timeline)
        return inner.playWhole(along: anchor, on: timeline)
    }

    private func begin(_ anchor: Anchor, _ timeline: ClockIdentity) {
        if stream.kind == .buffered { sound.begin() }
        let now = machine.now
        let least = manners.time(.wantsQueue)
        let (ready, starved) = state.withLock { state in
            state.line = (anchor, timeline)
            if let least, stream.kind == .realtime { judge(&state, least, at: now) }
            return take(&state)
        }
        if starved { report(.wantsQueue, "silent") }
        for packet in ready { inner.append(packet) }
    }

    func pause() { inner.pause() }

    func flush(_ flush: FlushBuffered) {
        inner.flush(flush)
        // A buffer that has just been emptied is filled at once.
        if flush.from == nil { queue.async { [weak self] in self?.endPause(nil) } }
    }

    func flush(before rtpTime: RTPTime) {
        // The next packets are another start.
        state.withLock { ($0.isDeepEnough, $0.waiting, $0.sinceFlush) = (nil, [], 0) }
        inner.flush(before: rtpTime)
    }

    func setVolume(_ volume: Volume) { inner.setVolume(volume) }
    func end() { inner.end() }
    var status: StreamStatus { inner.status }
}
