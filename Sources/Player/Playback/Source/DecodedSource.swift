import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// The decoded sound of a file between two frames, in the decoder's own format, piece by piece.
///
/// Reading may block for a disk or a network. Use from one thread at a time.
package final class DecodedSource {
    /// The format of the pieces that ``next()`` returns.
    package let format: PCMFormat

    private var groups: PacketGroups
    private let decoder: AudioDecoder
    /// Decoded pieces that ``next()`` has not returned yet.
    private var ready: [DecodedAudio] = []
    private var isDrained = false
    private let name: String

    /// Maximum number of bytes that a decoder may consume without output. Decoders return frames for each
    /// packet, except for a few at the start; the largest packets have 4 MiB.
    static let silentByteLimit = 32 << 20

    /// - Parameters:
    ///   - frames: The wanted range, clamped to the file.
    ///   - seconds: Approximate length of a piece.
    ///   - isAnew: Whether the reader has been read from before, so that it must seek.
    /// - Throws: `.noDecoder` if no decoder takes the codec, else the reader's error.
    package init(
        _ reader: MediaReader, frames: Range<Int64>, seconds: Double = 0.5, isAnew: Bool = false
    ) throws(MediaError) {
        do {
            decoder = try AudioDecoder(reader.info.stream)
        } catch {
            throw .noDecoder(name: reader.info.path, codec: reader.info.codec.description)
        }
        format = decoder.outputFormat
        name = MediaError.name(of: reader.info.path)
        groups = try PacketGroups(reader, frames: frames, seconds: seconds, isAnew: isAnew)
    }

    /// Returns the next piece; `nil` at the end.
    package func next() throws(MediaError) -> DecodedAudio? {
        var byteCount = 0
        while ready.isEmpty, !isDrained {
            let packets = try groups.nextGroup()
            byteCount += packets.reduce(0) { $0 + $1.payload.count }
            if packets.isEmpty {
                isDrained = true
                if let rest = decoder.drain() { take(rest) }
            }
            for packet in packets {
                if let sound = decoder.decode(packet) { take(sound) }
            }
            if ready.isEmpty, byteCount > Self.silentByteLimit { throw Self.silent(name) }
        }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    static func silent(_ name: String) -> MediaError {
        .undecodable(name: name, reason: "\(silentByteLimit >> 20) MiB of it gave no sound")
    }

    /// Appends contiguous sound to the last piece; a hole begins another piece.
    private func take(_ sound: DecodedAudio) {
        guard let last = ready.last, last.timestamp + Int64(last.buffer.frameCount) == sound.timestamp else {
            return ready.append(sound)
        }
        ready[ready.count - 1].buffer.append(sound.buffer)
    }
}
