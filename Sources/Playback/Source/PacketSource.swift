import Codecs
import CoreMedia
import MediaTime

/// The sound of one file as sample buffers on a timeline: packets or samples as the file has them where the
/// renderer takes them, decoded samples where only the file's own decoder can.
///
/// Reading may wait for a disk or a network. For one thread at a time.
package final class PacketSource {
    package let info: MediaInfo
    /// Of every buffer.
    package let format: CMFormatDescription
    /// Timeline time after the last frame that was read and is heard.
    package private(set) var end: CMTime

    private enum Form {
        case packets(PacketGroups)
        /// Uncompressed, as the file has it.
        case samples(PacketGroups)
        case decoded(DecodedSource)
    }

    private var form: Form
    package let reader: MediaReader
    private let buffers: SoundBuffers

    /// About this much sound in a buffer.
    package static let usualSeconds = 1.0

    /// What was odd about the file so far.
    package var warnings: [MediaWarning] { reader.warnings }

    /// - Parameters:
    ///   - start: timeline time of the file's first frame.
    ///   - frames: what is wanted of the file. Packets that begin before it or end after it come whole, with
    ///     trims that leave exactly these frames.
    ///   - isAnew: Whether the reader has been read from before.
    ///   - seconds: About this much sound is in a buffer; it is given when all of it has come.
    package init(
        _ reader: MediaReader, start: CMTime, frames: Range<Int64>, isAnew: Bool = false,
        seconds: Double = PacketSource.usualSeconds
    ) throws(MediaError) {
        self.reader = reader
        info = reader.info
        do {
            if let stored = try SoundDescription.stored(info.stream) {
                format = stored
                let groups = try PacketGroups(reader, frames: frames, seconds: seconds, isAnew: isAnew)
                form = info.stream.storedPCM == nil ? .packets(groups) : .samples(groups)
            } else {
                let decoded = try DecodedSource(reader, frames: frames, seconds: seconds, isAnew: isAnew)
                format = try SoundDescription.linear(decoded.format, channels: info.stream.channelLayout)
                form = .decoded(decoded)
            }
        } catch let error as MediaError {
            throw error
        } catch {
            throw .noDecoder(name: info.path, codec: info.codec.description)
        }
        buffers = SoundBuffers(format: format, sampleRate: info.sampleRate, start: start)
        end = buffers.time(frames.lowerBound)
    }

    /// The next buffer, or `nil` at the end of the file.
    package func nextBuffer() throws(MediaError) -> CMSampleBuffer? {
        var byteCount = 0
        while true {
            if byteCount > DecodedSource.silentByteLimit {
                throw DecodedSource.silent(MediaError.name(of: info.path))
            }
            switch form {
            case .packets(var groups):
                defer { form = .packets(groups) }
                let packets = try groups.nextGroup()
                if packets.isEmpty { return nil }
                // Packets of which nothing is heard may lie far behind the end.
                if let last = packets.last(where: { $0.skipAtStart + $0.skipAtEnd < $0.duration }) {
                    end = max(end, buffers.time(last.endTimestamp - Int64(last.skipAtEnd)))
                }
                if let buffer = buffers.buffer(of: packets) { return buffer }
                byteCount += packets.reduce(1) { $0 + $1.payload.count }
            case .samples(var groups):
                defer { form = .samples(groups) }
                let packets = try groups.nextGroup()
                if packets.isEmpty { return nil }
                if let buffer = buffers.buffer(ofSamples: packets) { return noted(buffer) }
                byteCount += packets.reduce(1) { $0 + $1.payload.count }
            case .decoded(let source):
                guard let sound = try source.next() else { return nil }
                if let buffer = buffers.buffer(of: sound) { return noted(buffer) }
            }
        }
    }

    private func noted(_ buffer: CMSampleBuffer) -> CMSampleBuffer {
        end = max(end, buffer.presentationTimeStamp + buffer.duration)
        return buffer
    }
}
