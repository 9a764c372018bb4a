import CoreMedia
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

@testable import Playback

/// The behaviour of a server and its network while they deliver an item.
struct SimulatedServer: Sendable {
    enum Event: Sendable {
        /// Seconds of sound per second; 0 is a stop.
        case speed(Double)
        /// The connection is lost, and a new one cannot be established.
        case fails
        /// The delivered sound is all there is.
        case ends
    }

    var openDelay = 0.05
    var seekDelay = 0.1
    /// The stated duration of the item, in seconds; `nil` for a live stream.
    var duration: Double? = 600
    /// Second where the bytes end, if that differs from the stated duration.
    var delivered: Double?
    var isSeekable = true
    var isRemote = true
    var speed = 4.0
    /// Events, in seconds after the request.
    var events: [(at: Double, event: Event)] = []
    /// Seconds in a buffer.
    var piece = 0.25
    var titleInterval: Double?

    static func live(_ change: (inout Self) -> Void = { _ in }) -> Self {
        var server = Self()
        (server.duration, server.isSeekable, server.speed) = (nil, false, 1)
        change(&server)
        return server
    }

    var end: Double { delivered ?? duration ?? .infinity }
}

/// A feed that reads ahead like ``MediaFeed``, from a ``SimulatedServer`` in virtual time.
final class SimulatedFeed: ItemFeed {
    static let rate = SampleRate(hertz: 8000) ?? .hz44100

    private struct State {
        var feed = ItemFeedState()
        var buffers: [CMSampleBuffer] = []
        var wanted = CMTime.zero
        var isClosed = false
        var changed: (@Sendable () -> Void)?
        var speed: Double
        var end: CMTime
        /// Seconds of sound received for the buffer being read.
        var progress = 0.0
        /// Host time up to which `progress` counts, and the host time at which the read began.
        var counted = HostTime(nanoseconds: 0)
        var readSince: HostTime?
        /// Host time of the server's pending answer; `nil` if none is pending.
        var answer: HostTime?
        var fails = false
        var fillRate = FillRate()
        var lastTitle = CMTime.zero
    }

    let server: SimulatedServer
    private let world: VirtualWorld
    private let slot: Int
    private let eventSlots: [Int]
    private let box: Mutex<State>

    init(_ server: SimulatedServer, _ world: VirtualWorld) {
        (self.server, self.world, slot) = (server, world, world.makeSlot())
        eventSlots = server.events.map { _ in world.makeSlot() }
        box = Mutex(State(speed: server.speed, end: Self.time(server.end)))
    }

    static func time(_ seconds: Double) -> CMTime {
        seconds.isFinite
            ? CMTime(value: Int64((seconds * 8000).rounded()), timescale: 8000) : .positiveInfinity
    }

    // MARK: Scripting and observation

    var isClosed: Bool { box.withLock { $0.isClosed } }

    func happens(_ event: SimulatedServer.Event) {
        box.withLock { state in
            count(&state)
            switch event {
            case .speed(let speed): state.speed = speed
            case .fails: state.fails = true
            case .ends: state.end = nextStart(state)
            }
            plan(&state)
        }
    }

    // MARK: ItemFeed

    func start(changed: @escaping @Sendable () -> Void) {
        box.withLock { state in
            guard state.changed == nil, !state.isClosed else { return }
            state.changed = changed
            state.answer = world.now.advanced(by: .seconds(server.openDelay))
            plan(&state)
        }
        for (slot, event) in zip(eventSlots, server.events) {
            world.set(slot, after: .seconds(event.at)) { [weak self] in self?.happens(event.event) }
        }
    }

    var state: ItemFeedState {
        box.withLock { state in
            var feed = state.feed
            feed.waitingCount = state.buffers.count
            feed.awaitedSince = state.readSince
            return feed
        }
    }

    func read(until time: CMTime) {
        box.withLock { state in
            guard time > state.wanted else { return }
            state.wanted = time
            count(&state)
            plan(&state)
        }
    }

    func take() -> CMSampleBuffer? {
        box.withLock { $0.buffers.isEmpty ? nil : $0.buffers.removeFirst() }
    }

    func seek(to time: CMTime) {
        box.withLock { state in
            state.feed.seekCount += 1
            (state.feed.loadedStart, state.feed.loadedEnd) = (time, time)
            (state.feed.isAtEnd, state.feed.isResting, state.feed.error) = (false, false, nil)
            (state.fillRate, state.feed.fillRate, state.feed.longestWait) = (FillRate(), nil, 0)
            (state.buffers, state.wanted, state.progress, state.readSince) = ([], time, 0, nil)
            if state.changed != nil {
                let answer = world.now.advanced(by: .seconds(server.seekDelay))
                state.answer = max(state.answer ?? answer, answer)
            }
            plan(&state)
        }
    }

    func close() {
        box.withLock { state in
            (state.isClosed, state.changed, state.buffers) = (true, nil, [])
        }
        for slot in eventSlots + [slot] { world.clear(slot) }
    }

    // MARK: Delivery

    private func wantsMore(_ state: State) -> Bool {
        guard !state.isClosed, state.changed != nil, state.feed.error == nil, !state.feed.isAtEnd else {
            return false
        }
        if state.answer != nil || state.feed.facts == nil { return true }
        return state.feed.loadedEnd < state.wanted || state.feed.loadedEnd == state.feed.loadedStart
    }

    /// Returns the start of the next buffer, on a sample: a seek target may lie between two samples.
    private func nextStart(_ state: State) -> CMTime {
        state.feed.loadedEnd.convertScale(8000, method: .roundHalfAwayFromZero)
    }

    private func nextEnd(_ state: State) -> CMTime {
        CMTimeMinimum(nextStart(state) + Self.time(server.piece), state.end)
    }

    private func count(_ state: inout State) {
        let now = world.now
        if state.readSince != nil {
            state.progress += state.speed * now.since(state.counted).inSeconds
        }
        state.counted = now
    }

    /// Schedules the next event.
    private func plan(_ state: inout State) {
        guard wantsMore(state) else {
            state.feed.isResting = state.changed != nil
            state.readSince = nil
            state.fillRate.rest()
            return world.clear(slot)
        }
        state.feed.isResting = false
        let now = world.now
        if let answer = state.answer { return wake(after: answer.since(now)) }
        if state.fails { return wake(after: .zero) }
        if state.readSince == nil { (state.readSince, state.counted, state.progress) = (now, now, 0) }
        let missing = (nextEnd(state) - nextStart(state)).seconds - state.progress
        if missing <= 1e-9 { return wake(after: .zero) }
        if state.speed <= 0 { return world.clear(slot) }
        wake(after: .nanoseconds(Int64((missing / state.speed * 1e9).rounded(.up))))
    }

    private func wake(after pause: Duration) { world.set(slot, after: pause) { [weak self] in self?.work() } }

    private func work() {
        let changed = box.withLock { state in
            count(&state)
            if state.fails {
                (state.feed.error, state.answer) = (.timedOut(name: "simulated"), nil)
            } else if let answer = state.answer {
                if world.now >= answer { open(&state) }
            } else {
                read(&state)
            }
            plan(&state)
            return state.changed
        }
        changed?()
    }

    private func open(_ state: inout State) {
        state.answer = nil
        let duration = server.duration.map(Self.time) ?? .indefinite
        // A live stream continues with the sound that arrives, regardless of the requested position.
        if server.duration == nil { (state.feed.loadedStart, state.feed.loadedEnd) = (.zero, .zero) }
        if state.feed.facts == nil {
            state.feed.facts = ItemFacts(
                duration: duration, isSeekable: server.isSeekable, isRemote: server.isRemote)
        }
    }

    private func read(_ state: inout State) {
        let (start, end) = (nextStart(state), nextEnd(state))
        guard end > start else { return state.feed.isAtEnd = true }
        guard state.progress + 1e-6 >= (end - start).seconds, let since = state.readSince,
            let buffer = Silence.buffer(from: start, to: end)
        else { return }
        let now = world.now
        state.fillRate.note(sound: (end - start).seconds, spent: now.since(since).inSeconds)
        state.feed.fillRate = state.fillRate.value
        state.feed.longestWait = state.fillRate.longestWait
        state.buffers.append(buffer)
        state.feed.loadedEnd = end
        state.readSince = nil
        if let interval = server.titleInterval, (end - state.lastTitle).seconds >= interval {
            state.lastTitle = end
            let title = TimedTitle(frame: end.value, title: "at \(end.value)")
            state.feed.titles = (state.feed.titles + [(time: end, title: title)]).suffix(32)
        }
    }
}

/// Silent buffers; those of equal length share their bytes.
enum Silence {
    private static let blocks = Mutex<[Int: CMBlockBuffer]>([:])
    private static let description = try? Buffers.description(
        of: PCMFormat(sampleRate: SimulatedFeed.rate, channelCount: 1, sampleFormat: .int16))

    static func buffer(from start: CMTime, to end: CMTime) -> CMSampleBuffer? {
        let frames = Int((end - start).convertScale(8000, method: .default).value)
        let block = blocks.withLock { blocks in
            if let block = blocks[frames] { return block as CMBlockBuffer? }
            blocks[frames] = try? Buffers.block([UInt8](repeating: 0, count: frames * 2))
            return blocks[frames]
        }
        guard let block, let description else { return nil }
        return try? CMSampleBuffer(
            dataBuffer: block, formatDescription: description, numSamples: frames,
            presentationTimeStamp: start, packetDescriptions: [])
    }
}
