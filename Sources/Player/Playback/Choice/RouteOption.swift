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
