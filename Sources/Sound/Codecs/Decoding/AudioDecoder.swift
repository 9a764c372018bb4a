import CTuttiFFmpeg
import TuttiMediaTime
import TuttiPCM

/// Decoded frames and their position in the stream.
package struct DecodedAudio: Hashable, Sendable {
    /// The position of the first frame, in frames; 0 is the first audible frame.
    package var timestamp: Int64
    /// Interleaved frames in ``AudioDecoder/outputFormat``.
    package var buffer: PCMBuffer
}

/// A decoder that turns the packets of a ``MediaReader`` into gapless interleaved PCM.
///
/// Trims priming, padding and the pre-roll after a seek to the exact frame. Replaces a packet that FFmpeg
/// cannot decode with silence of the same length, and counts the packet. Not thread-safe: use the decoder on
/// the codec queue. Call ``reset()`` after a seek.
package final class AudioDecoder {
    /// The longest gap between packets, in frames, that the decoder fills with silence. The caller sees a
    /// longer gap in the timestamps.
    package static let fillLimit: Int64 = 1 << 17
    /// Frames by which a packet's time may deviate without meaning a gap. FFmpeg guesses the times of Vorbis
    /// packets between the pages of the file; a guess is off by most of a block where long blocks meet short
    /// ones (*observed*: 448 frames). There the decoder's own count is right.
    private let jitterTolerance: UInt64

    /// The format of ``decode(_:)``'s output: ``AudioStreamParameters/naturalFormat``, or the sample format
    /// that the initializer asked for.
    package let outputFormat: PCMFormat
    /// The number of packets, and of gaps between packets, replaced with silence.
    package private(set) var corruptPacketCount = 0

    private let context: DecoderContext
    /// The position of the next decoded frame, audible or not.
    private var position: Int64?
    /// The range of audible frames.
    private var heard: Range<Int64> = .min ..< .max

    /// Opens a decoder.
    ///
    /// - Parameter sampleFormat: The sample format of the output; the decoder rounds samples with more bits.
    ///   `nil` for the natural format.
    /// - Throws: ``CodecError`` if FFmpeg has no decoder for the codec, or refuses the parameters.
    package init(
        _ parameters: AudioStreamParameters, sampleFormat: SampleFormat? = nil
    ) throws(CodecError) {
        context = try DecoderContext(parameters)
        let natural = parameters.naturalFormat
        outputFormat = sampleFormat.map(natural.with) ?? natural
        jitterTolerance = parameters.codec == .vorbis ? 8192 : 256
    }

    /// Decodes a packet and returns the frames it completes; `nil` if none of them is audible.
    package func decode(_ packet: EncodedPacket) -> DecodedAudio? {
        noteSkips(of: packet)
        var output: DecodedAudio?
        let before = position
        var code = packet.payload.withUnsafeBytes {
            context.send($0, timestamp: packet.timestamp, duration: packet.duration)
        }
        if code >= 0 { code = receiveAll(into: &output) }
        if code < 0 { conceal(packet, after: before, into: &output) }
        return output
    }

    /// Returns the frames still inside the decoder at the end of the stream, then resets the decoder.
    package func drain() -> DecodedAudio? {
        var output: DecodedAudio?
        context.sendEnd()
        _ = receiveAll(into: &output)
        reset()
        return output
    }

    /// Discards all decoding state, for a seek.
    package func reset() {
        context.flush()
        position = nil
        heard = .min ..< .max
    }

    private func noteSkips(of packet: EncodedPacket) {
        let start = packet.timestamp &+ Int64(packet.skipAtStart)
        let end = packet.endTimestamp &- Int64(packet.skipAtEnd)
        if packet.timestamp >= heard.upperBound, packet.skipAtEnd < packet.duration {
            heard = heard.lowerBound ..< .max
        }
        if packet.skipAtStart > 0 { heard = max(heard.lowerBound, start)..<max(heard.upperBound, start) }
        if packet.skipAtEnd > 0 { heard = min(heard.lowerBound, end)..<min(heard.upperBound, end) }
    }

    /// - Returns: 0, or FFmpeg's error code if it refused the packet.
    private func receiveAll(into output: inout DecodedAudio?) -> Int32 {
        while true {
            let (frame, code) = context.receive()
            guard let frame else { return code == shim_averror(11) || code == shim_AVERROR_EOF ? 0 : code }
            if frame.frameCount == 0 { continue }
            let pcm =
                frame.pcm(as: outputFormat)
                // The rate or the channel count changed in the middle of the stream.
                ?? PCMBuffer(
                    format: outputFormat, silentFrameCount: min(frame.frameCount, Int(Self.fillLimit)))
            take(pcm, timestamp: frame.timestamp, into: &output)
        }
    }

    private func conceal(_ packet: EncodedPacket, after before: Int64?, into output: inout DecodedAudio?) {
        corruptPacketCount += 1
        let missing = packet.endTimestamp &- max(position ?? packet.timestamp, packet.timestamp)
        guard missing > 0 else { return }
        let silence = PCMBuffer(format: outputFormat, silentFrameCount: Int(min(missing, Self.fillLimit)))
        take(silence, timestamp: position == before ? packet.timestamp : nil, into: &output)
    }

    /// Places frames on the timeline: fills a short gap with silence, drops duplicates, trims inaudible
    /// frames.
    private func take(_ pcm: PCMBuffer, timestamp: Int64?, into output: inout DecodedAudio?) {
        var start = timestamp ?? position ?? 0
        var pcm = pcm
        if let position {
            let hole = start &- position
            if hole.magnitude <= jitterTolerance {
                start = position
            } else if hole > 0, hole <= Self.fillLimit {
                // The decoder dropped a packet without reporting an error.
                corruptPacketCount += 1
                append(
                    PCMBuffer(format: outputFormat, silentFrameCount: Int(hole)), at: position, into: &output)
            } else if hole < 0 {
                pcm.removeFirst(frameCount: Int(min(-hole, Int64(pcm.frameCount))))
                start = position
            }
        }
        append(pcm, at: start, into: &output)
        position = start &+ Int64(pcm.frameCount)
    }

    private func append(_ pcm: PCMBuffer, at start: Int64, into output: inout DecodedAudio?) {
        let whole = start..<start + Int64(pcm.frameCount)
        let inside = whole.clamped(to: heard)
        if inside.isEmpty { return }
        let isWhole = inside == whole
        let part = isWhole ? pcm : pcm[Int(inside.lowerBound - start)..<Int(inside.upperBound - start)]
        if output == nil {
            output = DecodedAudio(timestamp: inside.lowerBound, buffer: part)
        } else {
            output?.buffer.append(part)
        }
    }
}
