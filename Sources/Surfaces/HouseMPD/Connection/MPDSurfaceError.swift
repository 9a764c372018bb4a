import TuttiSystemIO

/// The reason why the surface cannot be opened.
package struct MPDSurfaceError: Error, Sendable, CustomStringConvertible {
    /// A sentence for the user.
    package let description: String

    init(_ address: SocketAddress, _ error: SystemError) {
        let reason =
            if error.isAddressInUse {
                "another program, such as mpd itself, listens there. Stop it, or choose another port."
            } else if error.isPermissionDenied {
                "this user may not use the port. Choose one above 1023."
            } else if error.isAddressUnavailable {
                "this is not an address of this machine. `ip address` lists them."
            } else {
                "\(error)."
            }
        description = "MPD clients cannot be served at \(address): \(reason)"
    }
}
