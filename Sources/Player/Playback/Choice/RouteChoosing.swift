/// The interface to the outputs: their list, the choice among them and their volumes. Apple's platforms leave
/// this to the system. ``RouteCatalogue`` is the real implementation. Any thread.
public protocol RouteChoosing: AnyObject, Sendable {
    /// All known outputs, local outputs first, then sorted by name. Without a search, only local and selected
    /// outputs.
    var options: [RouteOption] { get }

    /// Searches for speakers until the returned token is released. Concurrent searches share one browser.
    func search() -> RouteObservation

    /// Calls `body` with the options after each change, until the returned token is released.
    func observe(_ body: @escaping @Sendable ([RouteOption]) -> Void) -> RouteObservation

    /// Makes these the outputs of this program's sound. Playing sound continues there.
    ///
    /// - Parameter ids: Ids from ``options``: one local output, or one or more speakers.
    /// - Throws: If an output does not exist or the combination is not possible; then nothing changes. The
    ///   error says what to do.
    func choose(_ ids: Set<RouteOption.ID>) async throws(RouteError)

    /// Sets the volume of a selected speaker.
    ///
    /// - Parameter percent: 0 ... 100; 0 is silence.
    func setVolume(_ percent: Double, of id: RouteOption.ID)

    /// Sets the prompt for the password or PIN of an output. A prompt that returns `nil` cancels the choice.
    func setPasswordPrompt(_ prompt: (@Sendable (RouteOption) async -> String?)?)
}
