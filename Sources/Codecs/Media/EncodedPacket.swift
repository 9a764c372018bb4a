/// One packet of a stream as it lies in the file, ready for a decoder of its codec or, untouched, for the wire.
public struct EncodedPacket: Hashable, Sendable {
    public var payload: [UInt8]
    /// Of the first frame, in frames of the stream's rate; 0 is the first that is heard, priming is negative.
    public var timestamp: Int64
    /// In frames, those of both skips included; 0 when not known.
    public var duration: Int
    /// Frames at the front that are decoded and not heard: priming, or pre-roll after a seek.
    public var skipAtStart: Int
    /// Frames at the end that are decoded and not heard.
    public var skipAtEnd: Int

    public init(payload: [UInt8], timestamp: Int64, duration: Int, skipAtStart: Int = 0, skipAtEnd: Int = 0) {
        self.payload = payload
        self.timestamp = timestamp
        self.duration = duration
        self.skipAtStart = skipAtStart
        self.skipAtEnd = skipAtEnd
    }

    public var endTimestamp: Int64 { timestamp + Int64(duration) }
}
