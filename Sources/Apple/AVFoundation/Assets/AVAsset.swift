import CoreMedia
import Dispatch
import Foundation
import Synchronization
import TuttiCodecs

/// Lets the initialiser below return an instance of a subclass, which a class initialiser cannot.
///
/// Do not use this protocol: it is public only because the initialiser of ``AVAsset`` is its member.
public protocol _AssetMaking {}

extension _AssetMaking {
    /// Creates an ``AVURLAsset`` for a file or URL, without opening the resource.
    public init(url URL: URL) { self = AVURLAsset(url: URL, options: nil) as! Self }
}

/// An immutable, playable resource with its tracks and metadata.
///
/// Creating an asset opens nothing. The first `load(_:)` opens the source and loads all values at once;
/// see ``AVAsynchronousKeyValueLoading``. Any thread.
open class AVAsset: NSObject, NSCopying, AVAsynchronousKeyValueLoading, _AssetMaking, @unchecked Sendable {
    // Safe to share: stored properties never change, and lazily created objects have a lock.

    let source: AssetSource
    let loading: AssetLoading
    private let madeTracks = Mutex<[AVAssetTrack]?>(nil)
    private let madeGroups = Mutex<[AVMediaCharacteristic: AVMediaSelectionGroup?]>([:])

    init(source: AssetSource) {
        self.source = source
        loading = AssetLoading { interrupt in try source.contents(interrupt: interrupt) }
        super.init()
    }

    /// Returns the asset itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Cancels loading; waiting callers get ``AVError/operationCancelled``. Loaded values stay.
    open func cancelLoading() { loading.cancel() }

    /// Adopts the facts of a player that has opened the source, so that `load(_:)` need not open it again.
    func learn(_ info: MediaInfo) {
        guard !source.isPrecise, info.path == source.location, loading.provide(AssetContents(info)) else {
            return
        }
        if let picture = info.artwork { ArtworkCache.shared.add(picture.bytes.count, of: self) }
    }

    // MARK: Tracks

    /// Returns the tracks of loaded contents; always the same objects.
    func tracks(of contents: AssetContents) -> [AVAssetTrack] {
        madeTracks.withLock { made in
            if let made { return made }
            let plain = contents.withoutPicture
            let tracks = plain.info.streams.map { AVAssetTrack(asset: self, contents: plain, stream: $0) }
            made = tracks
            return tracks
        }
    }

    /// Returns the selection group of a characteristic, which the first call makes; always the same object.
    func keptGroup(
        _ characteristic: AVMediaCharacteristic, _ make: () -> AVMediaSelectionGroup?
    ) -> AVMediaSelectionGroup? {
        madeGroups.withLock { made in
            if let made = made[characteristic] { return made }
            let group = make()
            made[characteristic] = .some(group)
            return group
        }
    }

    /// Loads the tracks of one media type, in the order of the file.
    open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        tracks(of: try await loading.contents()).filter { $0.mediaType == mediaType }
    }

    /// Loads the tracks with a characteristic, in the order of the file.
    open func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVAssetTrack] {
        tracks(of: try await loading.contents()).filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// Loads the track with an ID; `nil` if there is none.
    open func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
        tracks(of: try await loading.contents()).first { $0.trackID == trackID }
    }

    /// Loads the metadata of one format.
    open func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        try await loading.contents().metadata.filter { $0.format == format }
    }

    // MARK: Loading with completion handlers, which are called once, on any thread

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
        // Retains the asset until the handler is called, because a deallocated asset cancels its loading.
        loading.whenFinished { [self] result in
            DispatchQueue.global().async {
                switch result {
                case .success(let contents): handler(value(self, contents), nil)
                case .failure(let error): handler(nil, error)
                }
            }
        }
    }

    // MARK: String keys

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

    /// Returns when loading has ended; see ``loadValuesAsynchronously(forKeys:completionHandler:)``.
    open func loadValuesAsynchronously(forKeys keys: [String]) async {
        await withCheckedContinuation { continuation in
            loadValuesAsynchronously(forKeys: keys) { continuation.resume() }
        }
    }
}
