/// A device of this machine as a member of a group.
package protocol LocalSpeaker: Sendable {
    /// Opens the device, and plays the packets on it.
    ///
    /// - Throws: An error whose description says why there is no sound.
    func open(_ sound: any PacketReading) async throws -> any SpeakerSession
}
