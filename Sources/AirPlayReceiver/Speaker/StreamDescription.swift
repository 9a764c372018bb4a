public import AirPlayMessages

/// A stream that begins, for whoever makes its ``StreamSink``.
public struct StreamDescription: Sendable {
    /// `.buffered` or `.realtime`.
    public var kind: StreamKind
    /// What the SETUP names; packets of a buffered stream name their own.
    public var format: AudioWireFormat?
    /// Knows the clock that the stream's anchors are on, once it has been measured.
    public var clock: any ReceiverClock
    public var sender: SenderDescription

    public init(
        kind: StreamKind, format: AudioWireFormat?, clock: any ReceiverClock, sender: SenderDescription
    ) {
        self.kind = kind
        self.format = format
        self.clock = clock
        self.sender = sender
    }
}
