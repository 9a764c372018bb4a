import CoreMedia

/// Truncation: discards encoded and queued sound from a time on.
extension RenderPipeline {
    /// Returns the frame from which the speakers must drop packets so that sound from `time` on can be
    /// replaced; `nil` if no packet holds such sound.
    func cutFrame(for time: CMTime) -> Int64? {
        let frame = frame(of: time)
        guard let end = line.store.endFrame, frame < end else { return nil }
        return line.store.packet(holding: frame)?.frame
    }

    /// Drops sound from `time` on that is not encoded yet.
    func dropBacklog(from time: CMTime) {
        backlog.drop(from: time)
        guard case .encoder(let encoder) = line.writer else { return }
        let frame = frame(of: time)
        if cutFrame(for: time) == nil {
            guard let chain, let end = chain.takenEnd, time < end else { return }
            // Without the sound that the resampler still holds, a hole of some milliseconds precedes the new
            // sound.
            if let tail = try? chain.finish() { try? line.append(tail, before: frame) }
            forgetSource()
        }
        encoder.truncate(at: frame)
    }

    /// Drops packets from `time` on, and re-encodes the part of a packet before `time`.
    func cut(at time: CMTime) throws {
        let frame = frame(of: time)
        forgetSource()
        try line.cut(at: frame, lossless: formats.lossless)
    }
}
