import AVFoundation
import TuttiTestMedia

/// A reader with one output, and the samples it delivers.
struct SampleReading {
    let reader: AVAssetReader
    let output: AVAssetReaderTrackOutput

    init(
        _ asset: AVAsset, _ track: AVAssetTrack, settings: [String: Any]? = nil, range: CMTimeRange? = nil,
        isRandom: Bool = false
    ) throws {
        reader = try AVAssetReader(asset: asset)
        output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
        output.supportsRandomAccess = isRandom
        if let range { reader.timeRange = range }
        guard reader.canAdd(output) else { throw AVError(.unsupportedOutputSettings) }
        reader.add(output)
        guard reader.startReading() else { throw reader.error ?? AVError(.unknown) }
    }

    /// Reads the remaining samples.
    func buffers() -> [CMSampleBuffer] {
        var buffers: [CMSampleBuffer] = []
        while let buffer = output.copyNextSampleBuffer() { buffers.append(buffer) }
        return buffers
    }

    func heard() throws -> HeardSound { try HeardSound(buffers()) }
}
