import Codecs
import MediaTime
import PCM

/// The sound of a file between two frames, decoded, in the decoder's own format, piece by piece.
///
/// Reading may wait for a disk or a network. For one thread at a time.
package final class DecodedSource {
    /// What ``next()`` gives.
    package let format: PCMFormat

    private var groups: PacketGroups
    private let decoder: AudioDecoder
    /// Decoded and not yet given.
    private var ready: [DecodedAudio] = []
    private var isDrained = false
    private let name: String

    /// Most bytes that a decoder may take without giving a frame. All give some for each packet, but for a few at the
    /// start; the largest packets have 4 MiB.
    static let silentByteLimit = 32 << 20

    /// - Parameters:
    ///   - frames: what is wanted, clamped to what there is.
    ///   - seconds: of sound in a piece, about.
    ///   - isAnew: Whether the reader has been read from before.
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

    /// The next piece; `nil` at the end.
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

    /// Sound that follows goes into one piece; a hole begins another one.
    private func take(_ sound: DecodedAudio) {
        guard let last = ready.last, last.timestamp + Int64(last.buffer.frameCount) == sound.timestamp else {
            return ready.append(sound)
        }
        ready[ready.count - 1].buffer.append(sound.buffer)
    }
}
