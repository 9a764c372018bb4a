import AVFoundation
import Playback

/// A player for a list of tracks, built on the queue player like any other program.
///
/// All state belongs to one serial queue; requests may come from any thread.
final class Player: @unchecked Sendable {
    // Safe to share: the variables are touched only on `queue`; the rest is immutable and Sendable.

    enum End: Equatable, Sendable {
        /// Playback finished, or the user quit.
        case finished
        /// No track could be played.
        case failed
    }

    let queue = DispatchQueue(label: "tutti.play")
    let player = AVQueuePlayer(items: [])
    let report: any PlayReport
    private let onEnd: @Sendable (End) -> Void
    /// Whether the sound goes to this machine's own output.
    private let playsHere: Bool

    var list: PlayList
    /// The host time of the command that the next start answers.
    var commandTime: CMTime
    var isPaused = false
    var volume: Double?
    private(set) var hasEnded = false
    var observers = PlayObservers()
    private(set) var film: PlayFilm?

    init(
        inputs: [PlayInput], volume: Double?, commandTime: CMTime, report: any PlayReport,
        film options: PlayFilm.Options = PlayFilm.Options(),
        onEnd: @escaping @Sendable (End) -> Void
    ) {
        list = PlayList(inputs)
        self.volume = volume
        self.commandTime = commandTime
        self.report = report
        self.onEnd = onEnd
        playsHere = !RouteCatalogue.shared.options.contains { $0.isSelected && $0.kind == .airPlay }
        if playsHere, let volume { player.volume = Float(volume / 100) }
        film = PlayFilm(options: options, player: player, queue: queue, report: report) { [weak self] in
            self?.perform($0)
        }
    }

    // MARK: Entry points

    /// - Parameter position: The start position in the first track, in seconds.
    func start(at position: Double) {
        queue.async { [self] in
            observe()
            fill(from: Self.time(position))
            player.play()
        }
    }

    /// - Parameter done: Called once the request is carried out.
    func perform(_ request: PlayRequest, done: @escaping @Sendable () -> Void = {}) {
        queue.async { [self] in
            defer { done() }
            guard !hasEnded else { return }
            commandTime = Self.now
            follow()
            carryOut(request)
        }
    }

    /// Ends the program with a failure.
    func fail() {
        queue.async { [self] in end(.failed) }
    }

    private func carryOut(_ request: PlayRequest) {
        switch request {
        case .pause: setPaused(true)
        case .resume: setPaused(false)
        case .toggle: setPaused(!isPaused)
        case .seek(let seconds): seek(to: Self.time(seconds))
        case .skip(let seconds): seek(to: max(.zero, player.currentTime() + Self.time(seconds)))
        case .volume(let percent): setVolume(percent)
        case .louder(let step): setVolume((heardVolume ?? 50) + step)
        case .rate(let rate): setRate(rate)
        case .faster(let factor): setRate(Double(player.defaultRate) * factor)
        case .step(let count): step(count)
        case .mute: player.isMuted.toggle()
        case .subtitles: film?.showNextSubtitles()
        case .fullScreen(let isFull): film?.setFullScreen(isFull)
        case .next: next()
        case .previous: previous()
        case .remove(let index): remove(index)
        case .insert(let index, let path): insert(path, at: index)
        case .quit: end(.finished)
        // For ``PlaySpeakers``.
        case .speaker: break
        }
    }

    /// The volume of this machine, or of the loudest speaker.
    var heardVolume: Double? { playsHere ? volume : RouteCatalogue.shared.volume }

    /// The current time of the host clock.
    static var now: CMTime { CMClockGetTime(CMClockGetHostTimeClock()) }

    static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000)
    }

    // MARK: The queue

    /// Updates the list to the player's current item.
    func follow() {
        guard let item = player.currentItem else { return }
        // Reports failed tracks before they leave the list, in case their own notification is still pending.
        for passed in list.items(before: item) where passed.status == .failed { statusChanged(of: passed) }
        list.begin(item)
    }

    /// Adds the next tracks to the player's queue.
    ///
    /// - Parameter position: The start position in the first added track.
    func fill(from position: CMTime = .zero) {
        var position = position
        let additions = list.fill { track in
            let queued = makeItem(track)
            if position > .zero { queued.item.seek(to: position) }
            position = .zero
            return queued
        }
        for addition in additions {
            // The item to insert after may have finished or failed in the meantime.
            if !player.tuttiInsert(addition.item, after: addition.after) {
                player.tuttiInsert(addition.item, after: nil)
            }
        }
    }

    /// Continues with the next track after one ended or failed, or ends the playback.
    func proceed() {
        guard list.hasMore else { return end(list.isAllFailed ? .failed : .finished) }
        // The last item in a queue stays there after a failure and stops the player; the end of the last item
        // stops it too.
        if let item = player.currentItem, item.status == .failed { player.remove(item) }
        fill()
        if !isPaused, player.rate == 0 { player.play() }
    }

    // MARK: Moving

    private func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        if isPaused {
            player.pause()
            return showPause()
        }
        self.isPaused = false
        film?.setPaused(false)
        player.play()
    }

    /// Notes and shows that playback is paused.
    func showPause() {
        isPaused = true
        film?.setPaused(true)
        report.show(.paused(index: list.current, position: player.currentTime().seconds))
        showProgress()
    }

    private func seek(to position: CMTime) {
        guard let media = list.currentTrack?.media else { return player.seek(to: position) }
        if media.isLive { return report.warn("live", "a live stream cannot seek") }
        guard media.isSeekable else { return report.warn("no-seek", "\(media.location) cannot seek") }
        if let duration = media.duration, position.seconds >= duration { return next() }
        player.seek(to: position)
    }

    /// Sets the rate of playback, now and after the next pause.
    private func setRate(_ rate: Double) {
        let range = PlayRequest.rates
        let rate = min(range.upperBound, max(range.lowerBound, (rate * 100).rounded() / 100))
        guard list.currentTrack?.media?.isLive != true else {
            return report.warn("live", "a live stream has a rate of its own")
        }
        player.defaultRate = Float(rate)
        if !isPaused { player.rate = Float(rate) }
    }

    /// Steps by a number of pictures, and pauses.
    private func step(_ count: Int) {
        guard let item = player.currentItem, item.canStepForward else {
            return report.warn("no-picture", "there are no pictures to step by")
        }
        setPaused(true)
        item.step(byCount: count)
    }

    private func next() {
        guard list.current + 1 < list.tracks.count else { return end(.finished) }
        jump(to: list.current + 1)
    }

    private func previous() {
        let index = player.currentTime().seconds < 3 ? max(0, list.current - 1) : list.current
        // A track that cannot seek is reopened.
        let canSeek = list.currentTrack?.media?.isSeekable ?? false
        if index == list.current, canSeek { player.seek(to: .zero) } else { jump(to: index) }
    }

    /// Jumps with new items: audio that speakers already hold would begin with a whole packet, which may
    /// contain the end of another track.
    private func jump(to index: Int) {
        list.restart(at: index)
        player.removeAllItems()
        proceed()
    }

    // MARK: Editing

    private func remove(_ index: Int) {
        guard list.tracks.indices.contains(index) else {
            return report.warn("no-track", "there is no track \(index) to remove")
        }
        let isHeard = index == list.current
        if isHeard, index == list.tracks.count - 1 { return end(.finished) }
        let item = list.remove(index)
        if isHeard { return jump(to: index) }
        if let item { player.remove(item) }
        fill()
    }

    private func insert(_ path: String, at index: Int) {
        guard index <= list.tracks.count else {
            return report.warn(
                "no-track", "cannot insert at \(index): the list has \(list.tracks.count) tracks")
        }
        list.insert(PlayInput(path: path), at: index)
        fill()
    }

    private func setVolume(_ percent: Double) {
        let percent = min(100, max(0, percent))
        volume = percent
        if playsHere {
            // The system controls the device's own volume.
            player.volume = Float(percent / 100)
        } else {
            RouteCatalogue.shared.setVolume(percent)
        }
        report.show(.volume(percent))
    }

    // MARK: The end

    func end(_ end: End) {
        guard !hasEnded else { return }
        hasEnded = true
        observers.end(player)
        film?.end()
        if end == .finished { report.show(.ended) }
        onEnd(end)
    }
}
