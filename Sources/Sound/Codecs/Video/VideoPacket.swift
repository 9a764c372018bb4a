import CTuttiFFmpeg

/// An encoded picture of a stream. Immutable.
package final class VideoPacket: @unchecked Sendable {
    // Safe to share: nothing changes the packet after `init`, and only `deinit` frees it.
    let packet: UnsafeMutablePointer<AVPacket>

    /// The time at which the picture is shown, in the stream's units; `nil` if the file does not say.
    package var presentationTime: Int64? { Self.time(packet.pointee.pts) }
    /// The time at which the packet is decoded, in the stream's units; `nil` if the file does not say.
    package var decodingTime: Int64? { Self.time(packet.pointee.dts) }
    /// The duration in the stream's units; 0 if unknown.
    package var duration: Int64 { max(0, packet.pointee.duration) }
    /// Whether decoding can begin here.
    package var isKey: Bool { packet.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// The number of encoded bytes.
    package var byteCount: Int { Int(max(0, packet.pointee.size)) }

    /// Calls `body` with the encoded bytes.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: packet.pointee.data, count: byteCount))
    }

    /// Takes the contents of FFmpeg's packet, which is empty afterwards; `nil` without memory.
    init?(taking other: UnsafeMutablePointer<AVPacket>) {
        guard let packet = av_packet_alloc() else { return nil }
        self.packet = packet
        // The data may belong to the reader's buffers; a reference of its own outlives them.
        guard av_packet_make_refcounted(other) >= 0 else { return nil }
        av_packet_move_ref(packet, other)
    }

    /// Creates a packet from bytes, which are copied; `nil` for no bytes, or without memory.
    ///
    /// - Parameter presentationTime: A time in any unit; the decoder's picture carries it.
    package init?(
        _ bytes: UnsafeRawBufferPointer, presentationTime: Int64, decodingTime: Int64? = nil,
        duration: Int64 = 0, isKey: Bool = false
    ) {
        guard let packet = av_packet_alloc() else { return nil }
        self.packet = packet
        guard let source = bytes.baseAddress, bytes.count > 0, bytes.count < Int(Int32.max) / 2,
            av_new_packet(packet, Int32(bytes.count)) >= 0
        else { return nil }
        UnsafeMutableRawPointer(packet.pointee.data).copyMemory(from: source, byteCount: bytes.count)
        packet.pointee.pts = presentationTime
        packet.pointee.dts = decodingTime ?? shim_AV_NOPTS_VALUE
        packet.pointee.duration = duration
        if isKey { packet.pointee.flags |= AV_PKT_FLAG_KEY }
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    private static func time(_ value: Int64) -> Int64? { value == shim_AV_NOPTS_VALUE ? nil : value }
}
