/// An output that a program's sound can go to, as a user chooses it.
public struct RouteOption: Sendable, Hashable, Identifiable {
    public enum Kind: Sendable, Hashable {
        /// The machine's own device, or the sound server's.
        case local
        /// A Bluetooth sink of the sound server.
        case bluetooth
        /// A speaker on the network.
        case airPlay
    }

    /// Stays the same as long as the output exists, over restarts of the program too.
    public let id: String
    /// For people.
    public var name: String
    public var kind: Kind
    /// Sound goes there now, or will with the next sound. Several speakers may be selected at once.
    public var isSelected: Bool
    /// 0 ... 100; `nil` where the output's volume is not known or not ours.
    public var volume: Double?
    /// Must be asked for a password, or a PIN, before it can be used.
    public var needsPassword: Bool

    public init(
        id: String, name: String, kind: Kind, isSelected: Bool = false, volume: Double? = nil,
        needsPassword: Bool = false
    ) {
        (self.id, self.name, self.kind, self.isSelected) = (id, name, kind, isSelected)
        (self.volume, self.needsPassword) = (volume, needsPassword)
    }
}

/// Why a route could not be chosen, in words a user can act on.
public struct RouteError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// The one door to what Apple's platforms leave to the system: which outputs there are, which of them are
/// used, and how loud each is. ``RouteCatalogue`` is the real one. Any thread.
public protocol RouteChoosing: AnyObject, Sendable {
    /// All known outputs, local ones first, then by name. While nobody searches, the local ones and those selected.
    var options: [RouteOption] { get }

    /// Looks for speakers until the returned token is let go; searches of several askers are one.
    func search() -> RouteSearch

    /// Tells `body` the options after each change of them, until the returned token is let go.
    ///
    /// - Parameter body: called on any thread, one call at a time, without a lock held.
    func observe(_ body: @escaping @Sendable ([RouteOption]) -> Void) -> RouteObservation

    /// Makes these the outputs of this program's sound; what plays goes on there.
    ///
    /// - Parameter ids: of ``options``; one local output, or one or more speakers.
    /// - Throws: when one of them is not there, or the combination is not possible; then nothing changes.
    func choose(_ ids: Set<RouteOption.ID>) async throws(RouteError)

    /// - Parameter percent: 0 ... 100; 0 is silence.
    func setVolume(_ percent: Double, of id: RouteOption.ID)

    /// Asked for the password or PIN of an output that needs one; `nil` gives up.
    func setPasswordPrompt(_ prompt: (@Sendable (RouteOption) async -> String?)?)
}

/// A search for speakers; ends when it is let go.
public final class RouteSearch: Sendable {
    private let end: @Sendable () -> Void

    public init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

/// Someone who watches the options; is told no more when it is let go.
public final class RouteObservation: Sendable {
    private let end: @Sendable () -> Void

    public init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
