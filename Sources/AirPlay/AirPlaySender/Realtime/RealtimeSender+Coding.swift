import TuttiRTP

extension RealtimeSender.Coding {
    /// Writes one packet; returns its size, 0 if the cipher library fails.
    mutating func write(
        _ payload: UnsafeRawBufferPointer, _ header: RealtimePacketHeader,
        to output: UnsafeMutableRawBufferPointer
    ) -> Int {
        switch consume self {
        case .clear:
            self = .clear
            header.write(to: output)
            let end = RealtimePacketHeader.byteCount + payload.count
            guard output.count >= end else { return 0 }
            output[RealtimePacketHeader.byteCount..<end].copyBytes(from: payload)
            return end
        case .blocks(var cipher):
            let count = try? cipher.encrypt(payload: payload, header: header, into: output)
            self = .blocks(cipher)
            return count ?? 0
        case .sealed(var sealer):
            let count = try? sealer.seal(payload: payload, header: header, into: output)
            self = .sealed(sealer)
            return count ?? 0
        }
    }
}
