import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// The sound of one file as sample buffers on a timeline: packets or samples as stored if the renderer takes
/// them, decoded samples if only the file's own decoder can read them.
///
/// Reading may block for a disk or a network. Use from one thread at a time.
package final class PacketSource {
    /// The properties of the file.
    package let info: MediaInfo
    /// The format of every buffer.
    package let format: CMFormatDescription
    /// Timeline time after the last audible frame that was read.
    package private(set) var end: CMTime

    private enum Form {
        case packets(PacketGroups)
        /// Uncompressed samples, as stored in the file.
        case samples(PacketGroups)
        case decoded(DecodedSource)
    }

    private var form: Form
    /// The reader of the file.
    package let reader: MediaReader
    private let buffers: SoundBuffers

    /// Default length of a buffer, in seconds.
    package static let usualSeconds = 1.0

    /// Irregularities that the reader has found so far.
    package var warnings: [MediaWarning] { reader.warnings }

    /// - Parameters:
    ///   - start: Timeline time of the file's first frame.
    ///   - frames: The wanted range. Packets that span its ends come whole, with trims that leave exactly
    ///     these frames.
    ///   - isAnew: Whether the reader has been read from before, so that it must seek.
    ///   - seconds: Approximate sound in a buffer; a buffer is returned once all of its sound has arrived.
    /// - Throws: `.noDecoder` if the file's sound has no decoder, else the reader's error.
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

    /// Returns the next buffer, or `nil` at the end of the file.
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
                // Inaudible packets may lie far after the end.
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
