internal import CFFmpeg
import MediaTime
import PCM

/// Frames that came out of a decoder, and where they belong.
public struct DecodedAudio: Hashable, Sendable {
    /// Of the first frame; 0 is the first that is heard.
    public var timestamp: Int64
    public var buffer: PCMBuffer
}

/// Turns the packets of a ``MediaReader`` into interleaved PCM, from one sample to the next.
///
/// Priming, padding and the pre-roll after a seek are cut away exactly. A packet that cannot be
/// decoded becomes silence of its length and is counted. For one thread at a time, the codec queue;
/// after a seek call ``reset()``.
public final class AudioDecoder {
    /// A hole between packets longer than this many frames is left to the caller, who sees it in the timestamps.
    public static let fillLimit: Int64 = 1 << 17
    /// A packet's time may be off by this many frames without meaning it. The library's times of Vorbis
    /// packets are guesses between the pages of the file, off by most of a block where long blocks and short
    /// ones meet (*observed*: 448 frames); there the decoder's own count is right.
    private let jitterTolerance: UInt64

    /// What ``decode(_:)`` gives: ``AudioStreamParameters/naturalFormat``, unless another sample format was asked for.
    public let outputFormat: PCMFormat
    /// Packets that became silence, and holes between packets that did.
    public private(set) var corruptPacketCount = 0

    private let context: DecoderContext
    /// Where the next decoded frame belongs, heard or not.
    private var position: Int64?
    /// The frames that are heard lie in here.
    private var heard: Range<Int64> = .min ..< .max

    /// - Parameter sampleFormat: what the samples are to be; rounded where they have more bits. `nil` for the
    ///   natural format.
    public init(
        _ parameters: AudioStreamParameters, sampleFormat: SampleFormat? = nil
    ) throws(CodecError) {
        context = try DecoderContext(parameters)
        let natural = parameters.naturalFormat
        outputFormat = sampleFormat.map(natural.with) ?? natural
        jitterTolerance = parameters.codec == .vorbis ? 8192 : 256
    }

    /// The frames that this packet makes ready; `nil` when there are none to be heard.
    public func decode(_ packet: EncodedPacket) -> DecodedAudio? {
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

    /// What the decoder still holds at the end of the stream; then it is as ``reset()``.
    public func drain() -> DecodedAudio? {
        var output: DecodedAudio?
        context.sendEnd()
        _ = receiveAll(into: &output)
        reset()
        return output
    }

    /// Forgets everything of the packets so far, for a seek.
    public func reset() {
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

    /// - Returns: 0, or the library's code if it refused what it was sent.
    private func receiveAll(into output: inout DecodedAudio?) -> Int32 {
        while true {
            let (frame, code) = context.receive()
            guard let frame else { return code == shim_averror(11) || code == shim_AVERROR_EOF ? 0 : code }
            if frame.frameCount == 0 { continue }
            let pcm =
                frame.pcm(as: outputFormat)
                // Another rate or channel count in the middle of a stream.
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

    /// Puts frames where they belong: fills a short hole with silence, drops what came twice, cuts what is not heard.
    private func take(_ pcm: PCMBuffer, timestamp: Int64?, into output: inout DecodedAudio?) {
        var start = timestamp ?? position ?? 0
        var pcm = pcm
        if let position {
            let hole = start &- position
            if hole.magnitude <= jitterTolerance {
                start = position
            } else if hole > 0, hole <= Self.fillLimit {
                // The decoder made nothing of a packet, without a word.
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
