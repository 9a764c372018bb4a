import AirPlayMessages

/// A stream that begins, as described to the creator of its ``StreamSink``.
package struct StreamDescription: Sendable {
    /// `.buffered` or `.realtime`.
    package var kind: StreamKind
    /// The format of the SETUP; packets of a buffered stream name their own.
    package var format: AudioWireFormat?
    /// Resolves the clock of the stream's anchors, once that has been measured.
    package var clock: any ReceiverClock
    /// Whether that clock is measured over NTP.
    package var isNTP: Bool
    /// The sender of the stream.
    package var sender: SenderDescription

    /// Creates a description from its parts.
    package init(
        kind: StreamKind, format: AudioWireFormat?, clock: any ReceiverClock, isNTP: Bool = false,
        sender: SenderDescription
    ) {
        self.kind = kind
        self.format = format
        self.clock = clock
        self.isNTP = isNTP
        self.sender = sender
    }
}
