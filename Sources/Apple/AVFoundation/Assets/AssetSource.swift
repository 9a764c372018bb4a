import CoreMedia
import Foundation
import TuttiCodecs
import TuttiWeb

/// The file, URL or resource loader that provides an asset's bytes.
struct AssetSource: Sendable {
    /// A file path or an absolute URL; `nil` for a URL without scheme and path.
    let location: String?
    let url: URL
    /// Transfers the bytes of a web address.
    var engine = WebEngine.shared
    var request = WebRequest()
    /// Whether to count the frames of a file that does not state their exact number.
    var isPrecise = false
    /// The loader that asks the program for bytes if ``isProvided``; `nil` for a location that a user typed.
    let loader: AVAssetResourceLoader?
    /// The bytes of a pipe, which are read once; `nil` for other sources.
    var pipe: (any ByteSource)?
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
        if let pipe { return { _ in pipe } }
        guard isProvided, let loader else { return nil }
        return { LoadedSource($0, loader: loader) }
    }

    /// Opens the source for reading; blocks until it is open or interrupted.
    ///
    /// The parameters are those of ``MediaReader``.
    func open(
        stream: Int? = nil, interrupt: MediaInterrupt, readsArtwork: Bool = false
    ) throws(AVError) -> MediaReader {
        let location = try readableLocation()
        do {
            return try MediaReader(
                location, stream: stream, request: request, interrupt: interrupt, readsArtwork: readsArtwork,
                acceptsSilence: true, engine: engine, makeSource: makeSource)
        } catch {
            throw AVError(error, url: url)
        }
    }

    /// Returns ``location``, or throws if nobody provides bytes for it.
    func readableLocation() throws(AVError) -> String {
        guard let location, !isProvided || pipe != nil || loader?.hasDelegate == true else {
            throw AVError(
                .contentIsUnavailable, reason: "addresses of the kind '\(url.scheme ?? "")' cannot be read")
        }
        return location
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
    /// The number of frames until sound and pictures have ended; `nil` for a live stream.
    let frameCount: Int64?
    let isPrecise: Bool
    let metadata: [AVMetadataItem]

    /// - Parameter measuredFrameCount: The counted number of frames; `nil` if nothing was counted.
    init(_ info: MediaInfo, measuredFrameCount: Int64? = nil) {
        self.info = info
        let whole = info.wholeFrameCount ?? 0
        frameCount =
            measuredFrameCount.map { whole > (info.frameCount ?? 0) ? max($0, whole) : $0 }
            ?? info.wholeFrameCount
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

    /// The container's time at time 0 of the asset.
    var zeroTime: CMTime {
        let zero = CMTime(value: info.zeroTime, timescale: CMTimeScale(info.sampleRate.hertz))
        guard info.isSilent else { return zero }
        // The pictures' own start is exact; that of the silence in their sound's place is rounded to a frame.
        let starts = info.streams.filter { $0.video != nil }.compactMap { $0.start.map { CMTime($0) } }
        let frame = CMTime(value: 1, timescale: zero.timescale)
        return starts.first { abs(($0 - zero).seconds) <= frame.seconds } ?? zero
    }

    /// The time at which edit lists end a stream before its last samples; `nil` if they do not.
    func presentedEnd(of stream: MediaStream) -> CMTime? {
        info.presentedEnd(of: stream).map {
            CMTime(value: $0, timescale: CMTimeScale(info.sampleRate.hertz))
        }
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
