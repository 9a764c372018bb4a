/// A packet of a stream as stored in the file, for a decoder of its codec or, unmodified, for the wire.
package struct EncodedPacket: Hashable, Sendable {
    /// The encoded bytes.
    package var payload: [UInt8]
    /// The position of the first frame, in frames at the stream's rate; 0 is the first audible frame, priming
    /// is negative.
    package var timestamp: Int64
    /// The duration in frames, both skips included; 0 if unknown.
    package var duration: Int
    /// Inaudible frames at the front: priming, or pre-roll after a seek.
    package var skipAtStart: Int
    /// Inaudible frames at the end.
    package var skipAtEnd: Int

    /// Creates a packet.
    package init(payload: [UInt8], timestamp: Int64, duration: Int, skipAtStart: Int = 0, skipAtEnd: Int = 0)
    {
        self.payload = payload
        self.timestamp = timestamp
        self.duration = duration
        self.skipAtStart = skipAtStart
        self.skipAtEnd = skipAtEnd
    }

    /// The position after the last frame.
    package var endTimestamp: Int64 { timestamp + Int64(duration) }
}
