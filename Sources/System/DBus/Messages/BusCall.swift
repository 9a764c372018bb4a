/// A method call from another program, as the bus delivered it.
package struct BusCall: Hashable, Sendable {
    /// The path of the object.
    package var path: String
    /// The interface; `nil` if the caller names none.
    package var interface: String?
    /// The name of the method.
    package var member: String
    /// The caller's unique name on the bus, such as `:1.42`; `nil` without a bus.
    package var sender: String?
    /// The types of the arguments, such as `ox`.
    package var signature: String
    /// The arguments; `nil` if they are more than ``BusLimits`` allow or hold a file descriptor.
    package var arguments: [BusValue]?

    /// Makes a call.
    package init(
        path: String, interface: String?, member: String, sender: String? = nil,
        arguments: [BusValue] = []
    ) {
        (self.path, self.interface, self.member, self.sender) = (path, interface, member, sender)
        (signature, self.arguments) = (arguments.map(\.typeSignature).joined(), arguments)
    }

    init(
        path: String, interface: String?, member: String, sender: String?, signature: String,
        arguments: [BusValue]?
    ) {
        (self.path, self.interface, self.member, self.sender) = (path, interface, member, sender)
        (self.signature, self.arguments) = (signature, arguments)
    }
}

/// The reply to a call.
package enum BusReply: Hashable, Sendable {
    /// The method's results.
    case values([BusValue])
    /// A refusal.
    case failure(BusFailure)
}

/// A refusal of a call.
package struct BusFailure: Error, Hashable, Sendable {
    /// The name for programs, such as `org.freedesktop.DBus.Error.InvalidArgs`.
    package var name: String
    /// A sentence for users.
    package var message: String

    /// Makes a refusal.
    ///
    /// - Parameter name: A name of D-Bus's own errors without `org.freedesktop.DBus.Error.`.
    package init(_ name: Name, _ message: String) {
        (self.name, self.message) = ("org.freedesktop.DBus.Error." + name.rawValue, message)
    }

    /// The names of D-Bus's own errors that this package uses.
    package enum Name: String, Sendable {
        /// The method failed.
        case failed = "Failed"
        /// The arguments are of the wrong types, or make no sense.
        case invalidArguments = "InvalidArgs"
        /// A limit is reached.
        case limitsExceeded = "LimitsExceeded"
        /// The object cannot do this.
        case notSupported = "NotSupported"
        /// The property cannot be set.
        case propertyReadOnly = "PropertyReadOnly"
        /// The interface does not exist.
        case unknownInterface = "UnknownInterface"
        /// The method does not exist.
        case unknownMethod = "UnknownMethod"
        /// The object does not exist.
        case unknownObject = "UnknownObject"
        /// The property does not exist.
        case unknownProperty = "UnknownProperty"
    }
}

/// The decision of a call's handler.
package enum BusResponse: Sendable {
    /// Replies at once.
    case now(BusReply)
    /// Replies later: the closure is called at once and must not block; it gets the means to reply.
    case later(@Sendable (BusResponder) -> Void)
}

/// A signal to everybody who listens.
package struct BusSignal: Hashable, Sendable {
    /// The path of the object that emits the signal.
    package var path: String
    /// The interface that declares the signal.
    package var interface: String
    /// The name of the signal.
    package var member: String
    /// The arguments.
    package var arguments: [BusValue]

    /// Makes a signal.
    package init(path: String, interface: String, member: String, arguments: [BusValue]) {
        (self.path, self.interface, self.member, self.arguments) = (path, interface, member, arguments)
    }
}

/// Limits of what a peer can make large.
package enum BusLimits {
    /// Values of one message, containers included: more than a player's whole track list.
    package static let values = 4_096
    /// Bytes of all texts of one message.
    package static let textBytes = 262_144
    /// Containers inside containers.
    package static let depth = 16
    /// Calls of one connection that wait for their reply; more are refused at once.
    package static let waitingCalls = 64
    /// Messages that the bus has not taken yet; beyond that, a connection reads no more calls.
    package static let unsentMessages = 64
    /// Bytes of those messages, likewise.
    package static let unsentBytes = 1_048_576
    /// Bytes of those messages beyond which calls are refused: libsystemd reads while it writes.
    package static let mostUnsentBytes = 4_194_304
    /// Bytes of the values of one reply; a larger one becomes a refusal.
    package static let replyBytes = 1_048_576
    /// Messages that one connection handles before the others have their turn.
    package static let messagesInARow = 64
}
