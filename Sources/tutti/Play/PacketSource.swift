import AVFoundation
import Codecs
import MediaTime
import PCM

/// One file as sample buffers on the timeline: packets as they are where the renderer decodes them,
/// decoded samples where only the file's own decoder can.
final class PacketSource {
    let info: MediaInfo
    /// Timeline time after the last frame read so far.
    private(set) var end: CMTime

    private let reader: MediaReader
    private let start: CMTime
    private let timescale: CMTimeScale
    private let format: CMFormatDescription
    private let decoder: AudioDecoder?
    private var isAtEnd = false

    /// About this much sound in a buffer; the first one is shorter, for a fast start.
    private static let bufferSeconds = 1.0
    private static let firstBufferSeconds = 0.4
    private var isFirst = true

    /// - Parameters:
    ///   - start: timeline time of the file's first frame.
    ///   - position: where in the file to begin.
    init(path: String, start: CMTime, position: CMTime) throws(MediaError) {
        reader = try MediaReader(path: path)
        info = reader.info
        self.start = start
        timescale = CMTimeScale(info.sampleRate.hertz)
        let frame = max(0, position.convertScale(timescale, method: .roundTowardZero).value)
        end = start + CMTime(value: frame, timescale: timescale)
        if frame > 0 { try reader.seek(toFrame: frame) }
        (format, decoder) = try Self.makeFormat(reader)
    }

    /// The next buffer, or `nil` at the end of the file.
    func nextBuffer() throws(MediaError) -> CMSampleBuffer? {
        guard !isAtEnd else { return nil }
        let seconds = isFirst ? Self.firstBufferSeconds : Self.bufferSeconds
        isFirst = false
        let wanted = Int64(seconds * Double(timescale))
        return decoder == nil ? try nextPackets(frames: wanted) : try nextSamples(frames: wanted)
    }

    private func time(_ frame: Int64) -> CMTime { start + CMTime(value: frame, timescale: timescale) }
}
