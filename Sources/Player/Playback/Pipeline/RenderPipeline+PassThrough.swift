import AirPlayMessages
import CoreMedia
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// Pass-through of access units, and the joins before and after them.
extension RenderPipeline {
    /// A stretch of decoded sound between earlier sound and access units that will pass through.
    struct Bridge {
        /// Shortest stretch of ALAC between AAC. Some receivers play a shorter stretch as noise, because they
        /// look at the decoder's present state for sound decoded up to 0.85 s ago (*observed* in
        /// shairport-sync's source).
        static let seconds = 1.2

        /// Timeline frame of the bridge's first frame.
        var start: Int64
        /// Timestamp of the next unit, in source frames since the chain's origin.
        var nextTimestamp: Int64?
    }

    func pass(_ buffer: CMSampleBuffer) throws {
        guard let choice, let data = buffer.dataBuffer else { throw RenderError("the buffer has no data") }
        let heard = HeardUnits(buffer, rate: choice.format.sampleRate)
        if case .none = line.writer { try line.passThrough(choice.format, at: heard.firstUnit) }
        guard try isPassing(from: heard.firstUnit) else {
            return try encode(buffer, as: self.choice?.format ?? choice.format)
        }
        if case .encoder(let encoder) = line.writer { try continueBridge(buffer, heard, encoder) }
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
    private func continueBridge(_ buffer: CMSampleBuffer, _ heard: HeardUnits, _ encoder: WireEncoder) throws
    {
        guard let bridge else { return }
        let chain = try chain(for: buffer, to: encoder)
        let timestamp = chain.timestamp(of: buffer.outputPresentationTimeStamp) - heard.trims.start
        if let next = bridge.nextTimestamp, abs(next - timestamp) <= WireLine.joinTolerance { return }
        self.bridge?.nextTimestamp = timestamp
    }

    /// Returns whether units from `frame` on can follow, after beginning a bridge if necessary; otherwise
    /// changes the choice to a format that is encoded.
    private func isPassing(from frame: Int64) throws -> Bool {
        if bridge != nil || line.takesUnit(at: frame) { return true }
        guard let choice, let lossless = formats.lossless(at: choice.format.sampleRate) else {
            // No lossless format fits between: the source is encoded in the format of the sound before it.
            self.choice = WireChoice(
                format: line.format ?? .aac44100, passesThrough: false,
                reason: "encoded again, so that there is no gap between the tracks")
            return false
        }
        let encoder = try line.encode(as: lossless, at: frame)
        if let chain, chain.output != encoder.input { self.chain = nil }
        bridge = Bridge(start: line.cursor ?? frame)
        return true
    }

    private func pass(_ unit: UnsafeRawBufferPointer, _ heard: HeardUnits) throws {
        switch line.writer {
        case .units(let units):
            units.append(unit, heard: heard)
            // If the codec can change, the audible part continues as ALAC, which can be cut at any frame.
            if units.tail != nil, let format = formats.lossless(at: units.format.sampleRate) {
                try line.encode(as: format, at: units.cursor)
            }
        case .encoder(let encoder):
            try cross(unit, heard, encoder.format.sampleRate)
        case .none:
            break
        }
    }

    /// Decodes one unit of the bridge, and returns to pass-through once the bridge is long enough.
    private func cross(_ unit: UnsafeRawBufferPointer, _ heard: HeardUnits, _ rate: SampleRate) throws {
        guard let chain, let timestamp = bridge?.nextTimestamp, let choice else { return }
        let length = AACPassthrough.framesPerUnit
        let place = frame(of: chain.origin) + timestamp
        let skip = heard.unheard(at: place)
        let decoded = chain.decode(
            EncodedPacket(
                payload: Array(unit), timestamp: timestamp, duration: Int(length), skipAtStart: skip.start,
                skipAtEnd: skip.end))
        if let decoded { try self.place(decoded, of: chain) }
        bridge?.nextTimestamp = timestamp + length
        guard let bridge, let cursor = line.cursor else { return }
        let isLongEnough = cursor - bridge.start >= Int64(Bridge.seconds * Double(rate.hertz))
        // Not while an overlap is still being dropped: units must lie at the frames where they are heard.
        let isInPlace = abs(cursor - (place + length)) <= WireLine.joinTolerance
        let isWhole = decoded?.frames.frameCount == Int(length) && !unit.isEmpty
        guard isLongEnough, isInPlace, isWhole else { return }
        try line.passThrough(choice.format, at: cursor, after: Array(unit))
        (self.bridge, self.chain) = (nil, nil)
    }
}
