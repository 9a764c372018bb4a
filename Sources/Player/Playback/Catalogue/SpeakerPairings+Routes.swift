import AirPlaySender
import TuttiDiscovery

// Pairing while the user chooses an output.
extension SpeakerPairings {
    /// Returns whether a speaker shows a PIN that has to be typed before its first use.
    func isNeeded(by speaker: DiscoveredSpeaker) -> Bool {
        guard speaker.traits.needsPIN else { return false }
        guard let id = speaker.receiver.deviceID else { return true }
        return !knows(id)
    }

    /// Pairs with a speaker that the user has chosen. Another program may have paired with it meanwhile.
    ///
    /// - Parameter prompt: Asks for the PIN that the speaker shows.
    func pair(
        with target: SpeakerTarget, option: RouteOption, senderName: String,
        prompt: (@Sendable (RouteOption) async -> String?)?
    ) async throws(RouteError) {
        let id = target.record?.deviceID?.lowercased()
        guard !all.contains(where: { $0.id == id }) else { return }
        do {
            _ = try await pair(with: target, senderName: senderName) { await prompt?(option) }
        } catch {
            throw RouteError("\(error)")
        }
    }
}
