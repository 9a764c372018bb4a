import TuttiSystemIO

/// The reason why a server did not start.
package struct HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address that cannot be used; `nil` if the machine lacks something else.
    package let address: SocketAddress?
    /// The path that cannot be used; `nil` for an address.
    package let path: String?
    /// The system's reason.
    package let cause: SystemError

    init(_ cause: SystemError, at address: SocketAddress? = nil, atPath path: String? = nil) {
        (self.cause, self.address, self.path) = (cause, address, path)
    }

    /// A sentence for the user.
    package var description: String {
        if let path { return "Cannot listen at \(path): \(cause.text) (\(cause.operation))." }
        guard let address else { return "The web service cannot start: \(cause.text) (\(cause.operation))." }
        if cause.isAddressInUse {
            return "Port \(address.port) is in use at \(address.address): another program, or another one of"
                + " this service, listens there. Stop it, or choose another port."
        }
        if cause.isPermissionDenied {
            return "Port \(address.port) at \(address.address) is not permitted to this user. Choose a port"
                + " above 1023."
        }
        if cause.isAddressUnavailable {
            return "\(address.address) is not an address of this machine. `ip address` lists them."
        }
        return "Cannot listen at \(address): \(cause.text) (\(cause.operation))."
    }
}
