import Codecs
import CoreMedia
import Dispatch
import Foundation
import Synchronization

/// Lets the initialiser below make an object of a subclass, which a class's own cannot.
///
/// Not for use; it is public because the initialiser of ``AVAsset`` is its member.
public protocol _AssetMaking {}

extension _AssetMaking {
    /// An asset of a file or an address of the web; its class is ``AVURLAsset``.
    public init(url URL: URL) { self = AVURLAsset(url: URL, options: nil) as! Self }
}

/// Something that can be played, with its tracks and what is known about it. It never changes.
///
/// Making one does nothing but note its address. Values are fetched by `load(_:)` when somebody
/// asks, all by one job; see ``AVAsynchronousKeyValueLoading``. Any thread.
open class AVAsset: NSObject, NSCopying, AVAsynchronousKeyValueLoading, _AssetMaking, @unchecked Sendable {
    // Safe to share: stored properties never change, and what is made once has a lock.

    let source: AssetSource
    let loading: AssetLoading
    private let madeTracks = Mutex<[AVAssetTrack]?>(nil)
    private let madeGroup = Mutex<AVMediaSelectionGroup??>(nil)

    init(source: AssetSource) {
        self.source = source
        loading = AssetLoading { interrupt in try source.contents(interrupt: interrupt) }
        super.init()
    }

    /// The asset itself, as it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Ends the fetching of values; those who wait get ``AVError/operationCancelled``. What is there stays.
    open func cancelLoading() { loading.cancel() }

    /// A player has opened the source: nobody need open it again to know what it is.
    func learn(_ info: MediaInfo) {
        guard !source.isPrecise, info.path == source.location, loading.provide(AssetContents(info)) else {
            return
        }
        if let picture = info.artwork { LearnedPictures.shared.add(picture.bytes.count, of: self) }
    }

    // MARK: Tracks

    /// The tracks once they are known: always the same objects.
    func tracks(of contents: AssetContents) -> [AVAssetTrack] {
        madeTracks.withLock { made in
            if let made { return made }
            let plain = contents.withoutPicture
            let tracks = plain.info.streams.map { AVAssetTrack(asset: self, contents: plain, stream: $0) }
            made = tracks
            return tracks
        }
    }

    /// The options of sound once they are known: always the same objects.
    func keptGroup(_ make: () -> AVMediaSelectionGroup?) -> AVMediaSelectionGroup? {
        madeGroup.withLock { made in
            if let made { return made }
            let group = make()
            made = .some(group)
            return group
        }
    }

    /// The tracks of a kind.
    open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        tracks(of: try await loading.contents()).filter { $0.mediaType == mediaType }
    }

    /// The tracks that offer something.
    open func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVAssetTrack] {
        tracks(of: try await loading.contents()).filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// The track of a number; `nil` if there is none.
    open func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
        tracks(of: try await loading.contents()).first { $0.trackID == trackID }
    }

    /// The metadata of one format.
    open func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        try await loading.contents().metadata.filter { $0.format == format }
    }

    // MARK: The same with handlers, called once, on any thread

    /// See ``loadTracks(withMediaType:)``.
    @preconcurrency
    open func loadTracks(
        withMediaType mediaType: AVMediaType,
        completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        answer(completionHandler) { asset, contents in
            asset.tracks(of: contents).filter { $0.mediaType == mediaType }
        }
    }

    /// See ``loadTracks(withMediaCharacteristic:)``.
    @preconcurrency
    open func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic,
        completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        answer(completionHandler) { asset, contents in
            asset.tracks(of: contents).filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
        }
    }

    /// See ``loadTrack(withTrackID:)``.
    @preconcurrency
    open func loadTrack(
        withTrackID trackID: CMPersistentTrackID,
        completionHandler: @escaping @Sendable (AVAssetTrack?, (any Error)?) -> Void
    ) {
        answer({ completionHandler($0 ?? nil, $1) }) { asset, contents in
            asset.tracks(of: contents).first { $0.trackID == trackID }
        }
    }

    /// See ``loadMetadata(for:)``.
    @preconcurrency
    open func loadMetadata(
        for format: AVMetadataFormat,
        completionHandler: @escaping @Sendable ([AVMetadataItem]?, (any Error)?) -> Void
    ) {
        answer(completionHandler) { _, contents in contents.metadata.filter { $0.format == format } }
    }

    func answer<Value>(
        _ handler: @escaping @Sendable (Value?, (any Error)?) -> Void,
        with value: @escaping @Sendable (AVAsset, AssetContents) -> Value
    ) {
        // The asset stays until the answer is given, as an asset that goes away cancels its loading.
        loading.whenFinished { [self] result in
            DispatchQueue.global().async {
                switch result {
                case .success(let contents): handler(value(self, contents), nil)
                case .failure(let error): handler(nil, error)
                }
            }
        }
    }

    // MARK: By the names of properties

    open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus {
        outError?.pointee = nil
        switch loading.progress {
        case .idle: return .unknown
        case .loading: return .loading
        case .finished(.success): return .loaded
        case .finished(.failure(let error)):
            outError?.pointee = error as NSError
            return error.code == .operationCancelled ? .cancelled : .failed
        }
    }

    @preconcurrency
    open func loadValuesAsynchronously(
        forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
    ) {
        loading.whenFinished { _ in
            if let handler { DispatchQueue.global().async(execute: handler) }
        }
    }

    /// See ``loadValuesAsynchronously(forKeys:completionHandler:)``.
    open func loadValuesAsynchronously(forKeys keys: [String]) async {
        await withCheckedContinuation { continuation in
            loadValuesAsynchronously(forKeys: keys) { continuation.resume() }
        }
    }
}
