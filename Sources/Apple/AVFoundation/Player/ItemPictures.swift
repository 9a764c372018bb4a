import CoreMedia
import Foundation
import Playback
import Synchronization
import TuttiCodecs
import TuttiKeyValueObserving
import TuttiSystemIO

/// The pictures of one item, decoded once for all its layers and outputs. Any thread.
///
/// Nothing is read before the first user comes, nor after the last has gone.
final class ItemPictures: Sendable {
    private struct State {
        var users: [Int: @Sendable () -> Void] = [:]
        var lastKey = 0
        var feed: PictureFeed?
        var feedKey: Int?
        var facts: NSKeyValueObservation?
        var isEnabled = true
        var texts = SubtitleChoice.none
        var maximumSize = CGSize.zero
    }

    /// The texts shown with the pictures.
    enum SubtitleChoice: Sendable, Equatable {
        case none
        /// The index of a stream in the item's own file.
        case embedded(Int)
        case file(SubtitleFile)
    }

    private let state = Mutex(State())

    /// Adds a user, called on any thread when pictures have come or the feed has changed; reading begins when the
    /// item's source is known.
    ///
    /// - Returns: A key for ``remove(_:)``.
    func add(to item: AVPlayerItem, _ changed: @escaping @Sendable () -> Void) -> Int {
        let (key, isFirst) = state.withLock { state in
            state.lastKey += 1
            state.users[state.lastKey] = changed
            return (state.lastKey, state.facts == nil)
        }
        if isFirst {
            let token = item.observe(\.tracks, options: [.initial]) { [weak self] item, _ in
                self?.factsChanged(item)
            }
            state.withLock { $0.facts = token }
        }
        return key
    }

    /// Removes a user; the last one ends reading.
    func remove(_ key: Int) {
        let (feed, token) = state.withLock { state -> (PictureFeed?, NSKeyValueObservation?) in
            state.users[key] = nil
            guard state.users.isEmpty else { return (nil, nil) }
            defer { (state.feed, state.feedKey, state.facts) = (nil, nil, nil) }
            return (state.feed, state.facts)
        }
        feed?.close()
        token?.invalidate()
    }

    /// The feed; `nil` until the item's source is known, and if it has no pictures.
    var feed: PictureFeed? { state.withLock { $0.isEnabled ? $0.feed : nil } }

    /// Whether pictures are shown; `AVPlayerItemTrack.isEnabled` of the track of pictures.
    var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set {
            state.withLock { $0.isEnabled = newValue }
            tellUsers()
        }
    }

    /// The largest wanted pictures of a source with several sizes; zero for no limit.
    var maximumSize: CGSize {
        get { state.withLock { $0.maximumSize } }
        set { state.withLock { $0.maximumSize = newValue } }
    }

    private func tellUsers() {
        for body in state.withLock({ Array($0.users.values) }) { body() }
    }

    private func factsChanged(_ item: AVPlayerItem) {
        guard let info = item.core.state.facts?.info else { return }
        // A layer may show the pictures of the item before.
        guard let source = source(of: item, info) else { return tellUsers() }
        let feed = state.withLock { state -> PictureFeed? in
            guard state.feed == nil, !state.users.isEmpty else { return nil }
            let feed = PictureFeed(source, timebase: item.core.timebase, machine: SystemMachine())
            state.feed = feed
            return feed
        }
        guard let feed else { return }
        if case .embedded(let stream) = state.withLock({ $0.texts }) { feed.selectSubtitles(stream) }
        let key = feed.add { [weak self] in self?.tellUsers() }
        state.withLock { $0.feedKey = key }
        tellUsers()
    }

    /// The place of an item's pictures; `nil` if it has none, or they cannot be read apart from the sound.
    func source(of item: AVPlayerItem, _ info: MediaInfo) -> PictureFeed.Source? {
        let asset = item.source.source
        // A pipe is read once, and the times of a live stream start again with each reader.
        guard asset.pipe == nil, !info.isLive, let stream = info.stream(within: maximumSize) else {
            return nil
        }
        let zero = CMTime(value: info.zeroTime, timescale: CMTimeScale(info.sampleRate.hertz))
        return PictureFeed.Source(
            path: info.path, engine: asset.engine, request: asset.request,
            makeSource: info.path == item.core.path ? asset.makeSource : nil, stream: stream.index, zero: zero
        )
    }

    // MARK: Texts

    /// The texts shown with the pictures.
    var texts: SubtitleChoice {
        get { state.withLock { $0.texts } }
        set {
            let feed = state.withLock { state in
                state.texts = newValue
                return state.feed
            }
            if case .embedded(let stream) = newValue {
                feed?.selectSubtitles(stream)
            } else {
                feed?.selectSubtitles(nil)
            }
            tellUsers()
        }
    }

    /// Whether texts are chosen.
    var hasTexts: Bool {
        if case .none = texts { return false }
        return true
    }

    /// The texts shown at an item time, and their script's header.
    func subtitles(at time: CMTime) -> (cues: [SubtitleCue], header: String) {
        switch texts {
        case .none: return ([], "")
        case .embedded: return feed?.subtitles(at: time) ?? ([], "")
        case .file(let file):
            let now = time.convertScale(1000, method: .default).value
            return (file.table.shown(at: now), file.header)
        }
    }
}

extension MediaInfo {
    /// The stream of pictures to play: the file's first, or of a playlist's several sizes the largest within a limit.
    ///
    /// - Parameter limit: The largest size in pixels; zero for none.
    func stream(within limit: CGSize) -> MediaStream? {
        let films = streams.filter { $0.kind == .video && $0.video != nil }
        guard container == "hls", films.count > 1 else { return films.first }
        func area(_ stream: MediaStream) -> Int { stream.width * stream.height }
        let allowed = films.filter {
            limit == .zero || Double($0.width) <= limit.width && Double($0.height) <= limit.height
        }
        return allowed.max { area($0) < area($1) } ?? films.min { area($0) < area($1) }
    }

    /// The size at which the pictures are meant to be shown, upright and with square pixels; zero without pictures.
    var presentationSize: CGSize { stream(within: .zero)?.video?.presentationSize ?? .zero }
}

extension VideoStreamParameters {
    /// The size at which the pictures are meant to be shown, upright and with square pixels.
    var presentationSize: CGSize {
        let width = (Double(width) * Double(pixelAspect.width) / Double(pixelAspect.height)).rounded()
        let (short, long) = (CGFloat(width), CGFloat(height))
        return orientation.swapsSides
            ? CGSize(width: long, height: short) : CGSize(width: short, height: long)
    }
}

extension AVPlayerItem {
    /// Whether the item is known to have no pictures, or none for layers.
    nonisolated var showsNoPictures: Bool {
        guard !suppressesPictures, pictures.isEnabled else { return true }
        guard pictures.feed == nil else { return false }
        return core.state.facts?.info.map { pictures.source(of: self, $0) == nil } ?? false
    }

    /// Why an item that has pictures shows none; `nil` if it shows them or has none. Known when the item is ready; for what is
    /// found later, see ``TuttiVideoFrameSink/note(_:)``. Tutti's extension.
    nonisolated public var tuttiPictureNotice: TuttiPictureNotice? {
        guard let info = core.state.facts?.info else { return nil }
        let films = info.streams.filter { $0.kind == .video }
        guard let film = films.first, films.allSatisfy({ $0.video == nil }) else { return nil }
        let name = MediaError.name(of: info.path)
        guard film.width > 0, film.height > 0,
            !VideoStreamParameters.isAllowed(width: film.width, height: film.height)
        else {
            return .failed("\(name) has pictures of a kind that is not known, or they are damaged")
        }
        return .failed(
            "\(name) has pictures of \(film.width) × \(film.height) pixels, which is too large: "
                + "\(VideoStreamParameters.pixelLimit >> 20) million pixels, and \(VideoStreamParameters.sideLimit) in a row or column, are the most"
        )
    }
}
