import AirPlaySender
import AirPlayMessages
import Codecs
import CoreMedia
import MediaTime
import PCM

/// Pass-through of access units, and the joins before and after them.
extension RenderPipeline {
    /// Shortest stretch of ALAC between AAC. Some receivers play a shorter stretch as noise, because they
    /// look at the decoder's present state for sound decoded up to 0.85 s ago (*observed* in shairport-sync's
    /// source).
    private static let bridgeSeconds = 1.2

    /// The audible range of a buffer of access units, in wire frames.
    private struct Heard {
        var start: Int64
        var end: Int64
        var trims: Trims

        init(_ buffer: CMSampleBuffer, rate: SampleRate) {
            let scale = CMTimeScale(rate.hertz)
            trims = Trims(of: buffer, sampleRate: rate)
            let time = buffer.outputPresentationTimeStamp
            start = time.convertScale(scale, method: .roundHalfAwayFromZero).value
            end = (time + buffer.outputDuration).convertScale(scale, method: .roundHalfAwayFromZero).value
        }

        /// The first frame of the first unit.
        var firstUnit: Int64 { start - trims.start }
    }

    func pass(_ buffer: CMSampleBuffer) throws {
        guard let choice, let data = buffer.dataBuffer else { throw RenderError("the buffer has no data") }
        let heard = Heard(buffer, rate: choice.format.sampleRate)
        if case .none = writer {
            writer = .units(AACPassthrough(format: choice.format, at: heard.firstUnit, store: store))
        }
        guard try isPassing(from: heard.firstUnit) else {
            return try encode(buffer, as: self.choice?.format ?? choice.format)
        }
        if case .encoder(let encoder) = writer { try goOnWithBridge(buffer, heard, encoder) }
        try data.withContiguousStorage { bytes in
            for packet in buffer.packets {
                let isThere =
                    packet.offset >= 0 && packet.size > 0 && packet.offset <= bytes.count - packet.size
                // A missing unit keeps its place in time.
                let place = isThere ? packet.offset..<packet.offset + packet.size : 0..<0
                try pass(UnsafeRawBufferPointer(rebasing: bytes[place]), heard)
            }
        }
    }

    /// Moves the bridge's next timestamp if this buffer does not follow the previous one, as at a track
    /// change.
    private func goOnWithBridge(_ buffer: CMSampleBuffer, _ heard: Heard, _ encoder: WireEncoder) throws {
        guard let bridge else { return }
        let chain = try chain(for: buffer, to: encoder)
        let timestamp = chain.timestamp(of: buffer.outputPresentationTimeStamp) - heard.trims.start
        if let next = bridge.nextTimestamp, abs(next - timestamp) <= Self.joinTolerance { return }
        self.bridge?.nextTimestamp = timestamp
    }

    /// Returns whether units from `frame` on can follow, after beginning a bridge if necessary; otherwise
    /// changes the choice to a format that is encoded.
    private func isPassing(from frame: Int64) throws -> Bool {
        if bridge != nil { return true }
        switch writer {
        case .none: return true
        case .units(let units):
            if tail == nil, abs(units.cursor - frame) <= Self.joinTolerance { return true }
        case .encoder: break
        }
        guard let choice, let lossless = lossless(at: choice.format.sampleRate) else {
            // No lossless format fits between: the source is encoded in the format of the sound before it.
            let format = writerFormat ?? .aac44100
            self.choice = WireChoice(
                format: format, passesThrough: false, reason: "encoded again, so that the join has no gap")
            return false
        }
        if case .units(let units) = writer {
            _ = try encoder(for: lossless, after: units)
        } else if writerFormat != lossless, case .encoder(let encoder) = writer {
            try encoder.finish()
            writer = .encoder(try WireEncoder(format: lossless, at: encoder.cursor, store: store))
        }
        bridge = Bridge(start: cursor ?? frame)
        return true
    }

    func lossless(at rate: SampleRate) -> AudioWireFormat? {
        if !changesCodecCleanly { return nil }
        if rate == .hz44100 { return .alac44100x16 }
        return policy.playsHighResolution ? .alac48000x24 : nil
    }

    private func pass(_ unit: UnsafeRawBufferPointer, _ heard: Heard) throws {
        switch writer {
        case .units(let units):
            let place = units.cursor
            if heard.trims.end > 0, tail != nil || place >= heard.end { return }
            if heard.trims.end > 0, place + AACPassthrough.framesPerUnit > heard.end {
                tail = Tail(unit: Array(unit), frameCount: Int(heard.end - place))
                // If the codec can change, the audible part continues as ALAC, which can be cut at any frame.
                if let format = lossless(at: units.format.sampleRate) {
                    _ = try encoder(for: format, after: units)
                }
            } else {
                let unheard = max(0, heard.start - place) / AACPassthrough.framesPerUnit
                units.append(unit, unheard: Int(unheard))
            }
        case .encoder(let encoder):
            try cross(unit, heard, encoder)
        case .none:
            break
        }
    }

    func converted(_ frames: PCMBuffer, to format: PCMFormat) -> PCMBuffer {
        var converter = SampleConverter(to: format.sampleFormat)
        return converter.convert(frames)
    }

    /// Decodes one unit of the bridge, and returns to pass-through once the bridge is long enough.
    private func cross(_ unit: UnsafeRawBufferPointer, _ heard: Heard, _ encoder: WireEncoder) throws {
        guard let chain, let bridge, let timestamp = bridge.nextTimestamp, let choice else { return }
        let length = AACPassthrough.framesPerUnit
        let origin = frame(of: chain.origin)
        let skipStart = min(length, max(0, heard.start - origin - timestamp))
        let skipEnd = heard.trims.end > 0 ? min(length, max(0, timestamp + length - (heard.end - origin))) : 0
        let decoded = chain.decode(
            EncodedPacket(
                payload: Array(unit), timestamp: timestamp, duration: Int(length),
                skipAtStart: Int(skipStart),
                skipAtEnd: Int(skipEnd)))
        if let decoded { try place(decoded, of: chain, in: encoder) }
        guard case .encoder(let encoder) = writer else { return }
        let count = decoded?.frames.frameCount ?? 0
        self.bridge?.nextTimestamp = timestamp + length
        let enough = Int64(Self.bridgeSeconds * Double(encoder.format.sampleRate.hertz))
        // Not while an overlap is still being dropped: units must lie at the frames where they are heard.
        let isInPlace = abs(encoder.cursor - (origin + timestamp + length)) <= Self.joinTolerance
        let begin = self.bridge?.start ?? bridge.start
        guard encoder.cursor - begin >= enough, count == Int(length), isInPlace, !unit.isEmpty else { return }
        try encoder.finish()
        let units = AACPassthrough(format: choice.format, at: encoder.cursor, store: store)
        units.prime(with: Array(unit))
        writer = .units(units)
        (self.bridge, self.chain, nextTimestamp) = (nil, nil, nil)
    }
}
