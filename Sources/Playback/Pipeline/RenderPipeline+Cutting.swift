import AirPlaySender
import AirPlayMessages
import Codecs
import CoreMedia
import MediaTime
import PCM

/// Truncation: discards encoded and queued sound from a time on.
extension RenderPipeline {
    /// Returns the frame from which the speakers must drop packets so that sound from `time` on can be
    /// replaced; `nil` if no packet holds such sound.
    func cutFrame(for time: CMTime) -> Int64? {
        let frame = frame(of: time)
        guard let end = store.endFrame, frame < end else { return nil }
        return store.packet(holding: frame)?.frame
    }

    /// Drops sound from `time` on that is not encoded yet.
    func dropBacklog(from time: CMTime) {
        backlog.drop(from: time)
        guard case .encoder(let encoder) = writer else { return }
        if cutFrame(for: time) == nil {
            guard let end = takenEnd, time < end else { return }
            keepTail(before: frame(of: time), in: encoder)
            (source, chain, nextTimestamp, bridge) = (nil, nil, nil, nil)
        }
        encoder.truncate(at: frame(of: time))
    }

    /// Presentation time after the last sound that entered the chain.
    private var takenEnd: CMTime? {
        guard let chain, let nextTimestamp else { return nil }
        return chain.origin
            + CMTime(value: nextTimestamp, timescale: CMTimeScale(chain.sampleRate.hertz))
    }

    /// Appends the part before `frame` of the sound that the resampler still holds.
    private func keepTail(before frame: Int64, in encoder: WireEncoder) {
        // Without this tail, a hole of some milliseconds precedes the new sound.
        guard let tail = try? chain?.finish() else { return }
        let left = max(0, min(frame - encoder.cursor + dropping, Int64(tail.frameCount)))
        try? append(tail[0..<Int(left)], to: encoder)
    }

    /// Drops packets from `time` on, and re-encodes the part of a packet before `time`.
    func cut(at time: CMTime) throws {
        let frame = frame(of: time)
        (source, chain, nextTimestamp, bridge) = (nil, nil, nil, nil)
        (dropping, tail) = (0, nil)
        guard let packet = store.truncate(at: frame) else { return }
        if frame < packet.frame, store.endFrame == nil {
            // All sound lay later: new sound is placed at its own time.
            writer = .none
            return
        }
        let keep = Int(min(max(0, frame - packet.frame), Int64(packet.frameCount)))
        let payload = packet.withPayload { Array($0) }
        if packet.format.codec == .alac {
            let encoder = try WireEncoder(format: packet.format, at: packet.frame, store: store)
            let frames = try ALACPacketDecoder(WireEncoder.configuration(of: packet.format)).decode(payload)
            try encoder.append(frames[0..<min(keep, frames.frameCount)])
            writer = .encoder(encoder)
        } else if packet.format.codec == .pcm {
            let encoder = try WireEncoder(format: packet.format, at: packet.frame, store: store)
            let size = keep * encoder.input.bytesPerFrame
            if let frames = PCMBuffer(format: encoder.input, bytes: Array(payload.prefix(size))) {
                try encoder.append(frames)
            }
            writer = .encoder(encoder)
        } else {
            try cutUnit(payload, of: packet, keeping: keep)
        }
    }

    private func cutUnit(_ payload: [UInt8], of packet: PacketStore.Packet, keeping count: Int) throws {
        let format = lossless(at: packet.format.sampleRate) ?? packet.format
        let before =
            store.packets(before: packet.index, count: 1).first.map { $0.withPayload { Array($0) } } ?? []
        let history = format.codec == .aacLC ? try decodedUnits(before: packet.index, format: format) : nil
        let encoder = try WireEncoder(format: format, at: packet.frame, store: store, history: history)
        let decoded = try payload.withUnsafeBytes {
            try AACPassthrough.decode($0, after: before, format: packet.format)
        }
        let frames = converted(decoded, to: encoder.input)
        try encoder.append(frames[0..<min(count, frames.frameCount)])
        writer = .encoder(encoder)
    }
}
