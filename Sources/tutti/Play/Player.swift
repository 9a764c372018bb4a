import AVFoundation
import AirPlayMessages
import AirPlaySender
import Codecs
import MediaTime
import Playback
import SystemIO

/// Plays a queue through a renderer and a synchronizer, as any program with this API would.
///
/// All state belongs to one serial queue; requests come from any thread.
final class Player: @unchecked Sendable {
    // Safe to share: the variables are touched only on `queue`; the rest is immutable and Sendable.

    enum End: Equatable, Sendable {
        /// Everything was heard, or the user quit.
        case finished
        /// Nothing could be played.
        case failed
    }

    private let queue = DispatchQueue(label: "tutti.player")
    private let renderer = AVSampleBufferAudioRenderer()
    let synchronizer = AVSampleBufferRenderSynchronizer()
    let tracks: PlayQueue
    let report: any PlayReport
    private let onEnd: @Sendable (End) -> Void

    /// When the command was given that the next start answers.
    private var commandTime: HostTime
    var isPaused = false
    private var volume: Double?
    /// On this machine's own output.
    private let playsHere: Bool
    private var isFeeding = false
    private var endObserver: Any?
    private var progressObserver: Any?
    private var startObserver: (any NSObjectProtocol)?
    private var statusObserver: NSKeyValueObservation?
    private var failureCount = 0
    private var hasEnded = false
    private var edit = 0
    /// Titles that were fed and are not heard yet.
    var comingTitles: [(time: CMTime, index: Int, title: TimedTitle)] = []
    /// Timeline time after what was fed; `nil` after a jump.
    var fedEnd: CMTime?
    /// Playing waits for a network until so much was fed.
    var refillUntil: CMTime?

    init(
        inputs: [PlayInput], volume: Double?, commandTime: HostTime, report: any PlayReport,
        onEnd: @escaping @Sendable (End) -> Void
    ) {
        tracks = PlayQueue(inputs: inputs)
        self.volume = volume
        self.commandTime = commandTime
        self.report = report
        self.onEnd = onEnd
        playsHere = !RouteCatalogue.shared.options.contains { $0.isSelected && $0.kind == .airPlay }
        synchronizer.addRenderer(renderer)
        if playsHere, let volume { renderer.volume = Float(volume / 100) }
    }

    // MARK: Doors

    /// - Parameter position: seconds into the first track.
    func start(at position: Double) {
        queue.async { [self] in
            observe()
            let time = position > 0 ? tracks.jump(to: 0, position: Self.time(position)) : .zero
            feed()
            synchronizer.setRate(1, time: time)
        }
    }

    func perform(_ request: PlayRequest) {
        queue.async { [self] in
            guard !hasEnded else { return }
            commandTime = SystemClock.now
            carryOut(request)
        }
    }

    func giveUp() {
        queue.async { [self] in end(.failed) }
    }

    private func carryOut(_ request: PlayRequest) {
        switch request {
        case .pause: setPaused(true)
        case .resume: setPaused(false)
        case .toggle: setPaused(!isPaused)
        case .seek(let seconds): seek(to: Self.time(seconds))
        case .skip(let seconds): seek(to: max(.zero, positionInTrack + Self.time(seconds)))
        case .volume(let percent): setVolume(percent)
        case .louder(let step): setVolume((volume ?? 50) + step)
        case .next: jump(to: current + 1, position: .zero)
        case .previous: previous()
        case .remove(let index): remove(index)
        case .insert(let index, let path): insert(path, at: index)
        case .quit: end(.finished)
        }
    }

    // MARK: Where it is

    static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000)
    }

    private var current: Int { tracks.index(at: synchronizer.currentTime()) ?? 0 }

    private var positionInTrack: CMTime {
        guard tracks.items.indices.contains(current), let start = tracks.items[current].start else {
            return .zero
        }
        return max(.zero, synchronizer.currentTime() - start)
    }

    // MARK: Feeding

    private func feed() {
        isFeeding = true
        renderer.requestMediaDataWhenReady(on: queue) { [weak self] in
            guard let self else { return }
            while self.renderer.isReadyForMoreMediaData {
                switch self.feedOne() {
                case .fed: continue
                // The renderer asks again in a moment.
                case .nothingYet: return
                case .atEnd:
                    self.isFeeding = false
                    self.renderer.stopRequestingMediaData()
                }
            }
        }
    }

    private func stopFeeding() {
        isFeeding = false
        renderer.stopRequestingMediaData()
    }

    private enum Feeding {
        case fed, nothingYet, atEnd
    }

    private func feedOne() -> Feeding {
        switch tracks.next() {
        case .buffer(let buffer):
            renderer.enqueue(buffer)
            fedEnd = buffer.outputPresentationTimeStamp + buffer.outputDuration
            goOnIfFilled()
        case .title(let index, let title, let time):
            comingTitles.append((time, index, title))
            presentTracks()
            showTitles()
        case .later:
            waitIfShort()
            return .nothingYet
        case .began(let index):
            if let info = tracks.items[index].info {
                report.show(.source(index: index, info))
                if info.isLive { collectFirst(index) }
            }
            presentTracks()
        case .warned(let message):
            report.show(.warning(code: "damaged", speaker: nil, message: message))
        case .failed(_, let message):
            failureCount += 1
            report.show(.error(code: "unplayable", speaker: nil, message: message))
        case .endOfQueue:
            goOn()
            observeEnd()
            return .atEnd
        }
        return .fed
    }

    // MARK: Moving

    private func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        self.isPaused = isPaused
        // Time may be waiting for the network anyway.
        synchronizer.rate = isPaused || refillUntil != nil ? 0 : 1
        if isPaused {
            report.show(.paused(index: current, position: positionInTrack.seconds))
            showProgress()
        }
    }

    private func seek(to position: CMTime) {
        let index = current
        guard tracks.items.indices.contains(index) else { return }
        if tracks.items[index].info?.isLive == true {
            return report.show(
                .warning(code: "live", speaker: nil, message: "a live stream has no other places to go to"))
        }
        if let duration = tracks.items[index].info?.duration, position.seconds >= duration.inSeconds {
            return jump(to: index + 1, position: .zero)
        }
        jump(to: index, position: position)
    }

    private func previous() {
        let isAtStart = positionInTrack.seconds < 3
        jump(to: isAtStart ? max(0, current - 1) : current, position: .zero)
    }

    private func jump(to index: Int, position: CMTime) {
        guard index < tracks.items.count else { return end(.finished) }
        stopFeeding()
        forgetEnd()
        renderer.flush()
        (comingTitles, fedEnd, refillUntil) = ([], nil, nil)
        let time = tracks.jump(to: index, position: position)
        synchronizer.setRate(isPaused ? 0 : 1, time: time)
        feed()
    }

    // MARK: Editing

    private func remove(_ index: Int) {
        guard tracks.items.indices.contains(index) else {
            return report.show(
                .warning(code: "no-track", speaker: nil, message: "there is no track \(index)"))
        }
        if index == current {
            let (rest, isLast) = (index, index == tracks.items.count - 1)
            if isLast { return end(.finished) }
            _ = tracks.remove(index)
            return jump(to: rest, position: .zero)
        }
        splice(from: tracks.remove(index, playing: current))
    }

    private func insert(_ path: String, at index: Int) {
        guard index <= tracks.items.count else {
            return report.show(
                .warning(code: "no-track", speaker: nil, message: "there is no place \(index)"))
        }
        splice(from: tracks.insert(path, at: index, playing: current))
    }

    /// What was sent from `time` on is void: the speakers drop it while they play on, and get the new queue.
    private func splice(from time: CMTime?) {
        guard let time, time > synchronizer.currentTime() else {
            if !isFeeding { feed() }
            return
        }
        stopFeeding()
        forgetEnd()
        edit += 1
        let edit = edit
        renderer.flush(fromSourceTime: time) { [weak self] isDone in
            guard let self else { return }
            self.queue.async {
                guard self.edit == edit, !self.hasEnded else { return }
                if isDone { return self.feed() }
                self.report.show(
                    .warning(
                        code: "late-edit", speaker: nil, message: "the edit came too late to be without a gap"
                    ))
                self.jump(to: self.current, position: self.positionInTrack)
            }
        }
    }

    // MARK: Observing

    private func observe() {
        progressObserver = synchronizer.addPeriodicTimeObserver(
            forInterval: CMTime(value: 1, timescale: 2), queue: queue
        ) { [weak self] _ in
            self?.showProgress()
        }
        startObserver = NotificationCenter.default.addObserver(
            forName: CMTimebase.effectiveRateChanged, object: synchronizer.timebase, queue: nil
        ) { [weak self] _ in
            guard let self else { return }
            self.queue.async { self.showStart() }
        }
        statusObserver = renderer.observe(\.status) { [weak self] renderer, _ in
            guard renderer.status == .failed else { return }
            let message = renderer.error.map { "\($0)" } ?? "the sound cannot be rendered"
            guard let self else { return }
            self.queue.async { self.fail(message) }
        }
    }

    private func fail(_ message: String) {
        report.show(.error(code: "render", speaker: nil, message: message))
        end(.failed)
    }

    /// Tells when sound is heard: at the instant the speakers agreed on.
    private func showStart() {
        guard synchronizer.rate != 0, CMTimebaseGetRate(synchronizer.timebase) != 0 else { return }
        // Before its instant the timebase counts up to the time that will be heard then.
        let lead = max(0, (synchronizer.currentTime() - CMTimebaseGetTime(synchronizer.timebase)).seconds)
        let heard = SystemClock.now.advanced(by: .seconds(lead))
        let delay = heard.since(commandTime).inSeconds * 1000
        let edit = edit
        queue.asyncAfter(deadline: .now() + lead) { [self] in
            guard !isPaused, !hasEnded, self.edit == edit else { return }
            report.show(.playing(index: current, position: positionInTrack.seconds, startMilliseconds: delay))
        }
    }

    private func showProgress() {
        guard !hasEnded else { return }
        let index = current
        guard tracks.items.indices.contains(index) else { return }
        showTitles()
        let item = tracks.items[index]
        var progress = PlayProgress(
            index: index, title: PlayTitle.of(item), position: positionInTrack.seconds,
            duration: item.info?.duration?.inSeconds, isPaused: isPaused, volume: volume, speakers: [])
        Task { [self] in
            progress.speakers = await RouteCatalogue.shared.depths()
            let whole = progress
            queue.async { [self] in
                if !hasEnded { report.show(.progress(whole)) }
            }
        }
    }

    private func setVolume(_ percent: Double) {
        let percent = min(100, max(0, percent))
        volume = percent
        if playsHere {
            // The device's own volume is the system's.
            renderer.volume = Float(percent / 100)
        } else {
            RouteCatalogue.shared.setVolume(percent)
        }
        report.show(.volume(percent))
    }

    // MARK: The end

    private func observeEnd() {
        guard let time = tracks.end, endObserver == nil else { return }
        if tracks.items.allSatisfy({ $0.failure != nil }) { return end(.failed) }
        if time <= synchronizer.currentTime() { return end(.finished) }
        endObserver = synchronizer.addBoundaryTimeObserver(forTimes: [NSValue(time: time)], queue: queue) {
            [weak self] in
            self?.end(.finished)
        }
    }

    private func forgetEnd() {
        if let endObserver { synchronizer.removeTimeObserver(endObserver) }
        endObserver = nil
    }

    private func end(_ end: End) {
        guard !hasEnded else { return }
        hasEnded = true
        stopFeeding()
        forgetEnd()
        if let progressObserver { synchronizer.removeTimeObserver(progressObserver) }
        if let startObserver { NotificationCenter.default.removeObserver(startObserver) }
        statusObserver?.invalidate()
        if end == .finished { report.show(.ended) }
        onEnd(end)
    }
}
