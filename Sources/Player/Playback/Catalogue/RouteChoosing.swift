/// An output that a program's sound can go to, as a user chooses it.
public struct RouteOption: Sendable, Hashable, Identifiable {
    /// The technology of an output.
    public enum Kind: Sendable, Hashable {
        /// The machine's own device, or the sound server's.
        case local
        /// A Bluetooth sink of the sound server.
        case bluetooth
        /// A speaker on the network.
        case airPlay
    }

    /// A stable identifier, which survives restarts of the program.
    public let id: String
    /// The name to show to users.
    public var name: String
    /// The technology of the output.
    public var kind: Kind
    /// Whether current or future sound goes to this output. Several speakers may be selected at once.
    public var isSelected: Bool
    /// The volume, 0 ... 100; `nil` if unknown or not under our control.
    public var volume: Double?
    /// Whether a password or a PIN is needed before the first use.
    public var needsPassword: Bool
    /// The model as a speaker announces it; `nil` for a device of this machine, and if unknown.
    public var model: String?

    /// Makes an option.
    public init(
        id: String, name: String, kind: Kind, isSelected: Bool = false, volume: Double? = nil,
        needsPassword: Bool = false
    ) {
        (self.id, self.name, self.kind, self.isSelected) = (id, name, kind, isSelected)
        (self.volume, self.needsPassword) = (volume, needsPassword)
    }
}

/// The reason why a route could not be chosen, in words that a user can act on.
public struct RouteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message for the user.
    public let description: String

    /// Creates an error with a message for the user.
    public init(_ description: String) { self.description = description }
}

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
