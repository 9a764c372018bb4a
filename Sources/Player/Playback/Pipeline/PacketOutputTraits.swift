import AirPlayMessages
import TuttiMediaTime

/// The properties of an output that decide the wire format.
struct PacketOutputTraits: Sendable {
    var receivers: [ReceiverDescription] = []
    /// The sample rate of a device of this machine, which takes samples.
    var deviceRate: SampleRate?
    /// The only format that every speaker takes; `nil` if the source may decide.
    var onlyFormat: AudioWireFormat?
    /// Whether no speaker is known to be silent with ALAC.
    var playsALAC = true
}
