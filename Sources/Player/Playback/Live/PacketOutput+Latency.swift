import AirPlaySender

// The latency of live sound.
extension PacketOutput {
    /// The time before it is heard at which live sound must come; a device of this machine alone.
    var liveLatency: Duration? { get async { .milliseconds(150) } }
}
