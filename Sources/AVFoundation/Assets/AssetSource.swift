import Codecs
import CoreMedia
import Foundation
import Web

/// The file, URL or resource loader that provides an asset's bytes.
struct AssetSource: Sendable {
    /// A file path or an absolute URL; `nil` for a URL without scheme and path.
    let location: String?
    let url: URL
    var request = WebRequest()
    /// Whether to count the frames of a file that does not state their exact number.
    var isPrecise = false
    /// The loader that asks the program for bytes if ``isProvided``; `nil` for a location that a user typed.
    let loader: AVAssetResourceLoader?
    /// Whether the URL has a custom scheme, whose bytes the program provides.
    let isProvided: Bool

    init(_ url: URL) {
        self.url = url
        isProvided = Self.isProvided(url)
        loader = AVAssetResourceLoader()
        switch url.scheme?.lowercased() {
        case "http", "https": location = url.absoluteString
        case "file": location = url.path
        case nil: location = url.path.isEmpty ? nil : url.path
        default: location = url.absoluteString
        }
    }

    /// Returns whether a URL has another scheme than `http`, `https` and `file`.
    private static func isProvided(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased() else { return false }
        return !["http", "https", "file"].contains(scheme)
    }

    /// The factory for the byte source of a custom URL; `nil` for other URLs.
    var makeSource: ByteSourceMaking? {
        guard isProvided, let loader else { return nil }
        return { LoadedSource($0, loader: loader) }
    }

    /// Opens the source for reading; blocks until it is open or interrupted.
    ///
    /// The parameters are those of ``MediaReader``.
    func open(
        stream: Int? = nil, interrupt: MediaInterrupt, readsArtwork: Bool = false
    ) throws(AVError) -> MediaReader {
        guard let location, !isProvided || loader?.hasDelegate == true else {
            throw AVError(
                .contentIsUnavailable, reason: "addresses of the kind '\(url.scheme ?? "")' cannot be read")
        }
        do {
            return try MediaReader(
                location, stream: stream, request: request, interrupt: interrupt, readsArtwork: readsArtwork,
                engine: .shared, makeSource: makeSource)
        } catch {
            throw AVError(error, url: url)
        }
    }

    /// Reads the facts about the source; blocks until they are known or `interrupt` is cancelled.
    func contents(interrupt: MediaInterrupt) throws(AVError) -> AssetContents {
        let reader = try open(interrupt: interrupt, readsArtwork: true)
        // A live stream has no frame count.
        guard isPrecise, !reader.info.isFrameCountExact, reader.info.frameCount != nil else {
            return AssetContents(reader.info)
        }
        do {
            return AssetContents(reader.info, measuredFrameCount: try reader.lastFrame())
        } catch {
            throw AVError(error, url: url)
        }
    }
}

/// The streams, duration and metadata of an opened asset.
final class AssetContents: Sendable {
    let info: MediaInfo
    /// The number of audible frames; `nil` for a live stream.
    let frameCount: Int64?
    let isPrecise: Bool
    let metadata: [AVMetadataItem]

    /// - Parameter measuredFrameCount: The counted number of frames; `nil` if nothing was counted.
    init(_ info: MediaInfo, measuredFrameCount: Int64? = nil) {
        self.info = info
        frameCount = measuredFrameCount ?? info.frameCount
        isPrecise = measuredFrameCount != nil || info.isFrameCountExact
        metadata = MetadataMapping(container: info.container).items(of: info)
    }

    private init(withoutPictureOf contents: AssetContents) {
        info = contents.info.withoutArtwork
        (frameCount, isPrecise) = (contents.frameCount, contents.isPrecise)
        metadata = contents.metadata.filter { $0.commonKey != .commonKeyArtwork }
    }

    /// The contents without artwork, which may be large, for holders that do not show the artwork.
    var withoutPicture: AssetContents { info.artwork == nil ? self : AssetContents(withoutPictureOf: self) }

    var duration: CMTime {
        guard let frameCount else { return .indefinite }
        return CMTime(value: frameCount, timescale: CMTimeScale(info.sampleRate.hertz))
    }

    var commonMetadata: [AVMetadataItem] { metadata.compactMap { $0.commonItem } }

    var metadataFormats: [AVMetadataFormat] {
        var formats: [AVMetadataFormat] = []
        for item in metadata {
            if let format = item.format, !formats.contains(format) { formats.append(format) }
        }
        return formats
    }
}
