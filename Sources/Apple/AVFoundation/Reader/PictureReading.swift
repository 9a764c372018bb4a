import CoreMedia
import Foundation
import Playback
import TuttiCodecs

/// A reader of a track's decoded pictures.
final class PictureReading: TrackReading {
    private let track: AVAssetTrack
    private let isCopied: Bool
    private let reader: PictureReader
    private let maker: PixelBufferMaker
    private var start = CMTime.zero
    private var end = CMTime.zero
    private var isAtEnd = true
    private var format: CMFormatDescription?

    /// Opens the track's source for this reader alone.
    ///
    /// - Parameter isCopied: Whether no picture shares memory with the decoder.
    init(
        _ track: AVAssetTrack, _ settings: PictureSettings, isCopied: Bool, interrupt: MediaInterrupt
    ) throws(AVError) {
        (self.track, self.isCopied) = (track, isCopied)
        maker = PixelBufferMaker(
            formats: settings.format.map { [$0] }, width: settings.width, height: settings.height)
        do {
            reader = try PictureReader(try track.pictureSource(), interrupt: interrupt)
        } catch {
            throw AVError(reading: error, of: track)
        }
    }

    func begin(_ range: CMTimeRange) throws(AVError) {
        (start, end) = (range.start, min(range.end, track.presentedEnd ?? .positiveInfinity))
        isAtEnd = !(start < end)
        if isAtEnd { return }
        do {
            try reader.begin(at: max(.zero, start))
        } catch {
            throw AVError(reading: error, of: track)
        }
    }

    func next() throws(AVError) -> CMSampleBuffer? {
        do {
            while !isAtEnd, let picture = try reader.next() {
                // Times in coarse units may be earlier or later than the picture's own time by the tolerance.
                let tolerance = reader.times.tolerance
                if picture.end - tolerance <= start { continue }
                isAtEnd = picture.time + tolerance >= end
                if isAtEnd { break }
                return try buffer(picture)
            }
            isAtEnd = true
            if reader.isUndecodable {
                throw AVError(
                    .decodeFailed, reason: "none of the pictures can be decoded", url: track.source.url)
            }
            return nil
        } catch {
            throw AVError(reading: error, of: track)
        }
    }

    private func buffer(_ picture: PictureReader.Picture) throws -> CMSampleBuffer {
        var pixels = try maker.make(picture.frame, orientation: reader.parameters.orientation)
        if isCopied, pixels.planes.first?.address == picture.frame.planes.first?.address {
            pixels = try pixels.copied()
        }
        if format?.matchesImageBuffer(pixels) != true {
            format = try CMFormatDescription(imageBuffer: pixels)
        }
        guard let format else { throw AVError(.decodeFailed) }
        return try CMSampleBuffer(
            imageBuffer: pixels, formatDescription: format,
            sampleTiming: CMSampleTimingInfo(
                duration: picture.end - picture.time, presentationTimeStamp: picture.time,
                decodeTimeStamp: .invalid))
    }
}

extension AVAssetTrack {
    /// The place of the track's pictures.
    func pictureSource() throws(AVError) -> PictureFeed.Source {
        try source.pictureSource(stream: stream.index, zero: contents.zeroTime)
    }
}

extension AssetSource {
    /// The place of pictures.
    ///
    /// - Parameters:
    ///   - stream: The ``MediaStream/index`` of the pictures.
    ///   - zero: The container's time at time 0 of the asset.
    func pictureSource(stream: Int, zero: CMTime) throws(AVError) -> PictureFeed.Source {
        guard pipe == nil else {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "the pictures of a pipe cannot be read apart from its sound")
        }
        return PictureFeed.Source(
            path: try readableLocation(), engine: engine, request: request, makeSource: makeSource,
            stream: stream, zero: zero
        )
    }
}

extension CVBuffer {
    /// Returns a buffer with the same pixels and attachments in its own memory.
    fileprivate func copied() throws -> CVPixelBuffer {
        var copy: CVPixelBuffer?
        CVPixelBufferCreate(
            kCFAllocatorDefault, CVPixelBufferGetWidth(self), CVPixelBufferGetHeight(self),
            CVPixelBufferGetPixelFormatType(self), nil, &copy)
        guard let copy else { throw PixelBufferMaker.MakingError.noMemory }
        for (source, target) in zip(planes, copy.planes) {
            let count = min(source.bytesPerRow, target.bytesPerRow)
            for row in 0..<min(source.height, target.height) {
                target.address.advanced(by: row * target.bytesPerRow).copyMemory(
                    from: source.address.advanced(by: row * source.bytesPerRow), byteCount: count)
            }
        }
        CVBufferPropagateAttachments(self, copy)
        return copy
    }
}
