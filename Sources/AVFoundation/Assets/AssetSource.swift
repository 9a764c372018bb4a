import Codecs
import CoreMedia
import Foundation
import Web

/// Where an asset's bytes come from.
struct AssetSource: Sendable {
    /// A path, or an address of the web; `nil` for a URL that is neither.
    let location: String?
    let url: URL
    var request = WebRequest()
    /// Whether the length is measured where the file does not say it.
    var isPrecise = false
    /// Asks the program for the bytes where ``isProvided``; `nil` for what a user wrote.
    let loader: AVAssetResourceLoader?
    /// Whether it is an address of the program's own kind.
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

    /// Whether an address is neither of the web nor of a file.
    private static func isProvided(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased() else { return false }
        return !["http", "https", "file"].contains(scheme)
    }

    /// Makes the bytes of an address that the program provides; `nil` where it is none.
    var makeSource: ByteSourceMaking? {
        guard isProvided, let loader else { return nil }
        return { LoadedSource($0, loader: loader) }
    }

    /// Opens it for reading; may wait until it is interrupted.
    ///
    /// - Parameters: as in ``MediaReader``.
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

    /// Finds out everything about it.
    func contents(interrupt: MediaInterrupt) throws(AVError) -> AssetContents {
        let reader = try open(interrupt: interrupt, readsArtwork: true)
        // A live stream has no length to be measured.
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

/// What an asset is made of, once it is known.
final class AssetContents: Sendable {
    let info: MediaInfo
    /// Frames that are heard; `nil` for a live stream.
    let frameCount: Int64?
    let isPrecise: Bool
    let metadata: [AVMetadataItem]

    /// - Parameter measuredFrameCount: what is there really, if that was counted.
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

    /// The same without the picture, which may be large: for those who keep it and do not show it.
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
