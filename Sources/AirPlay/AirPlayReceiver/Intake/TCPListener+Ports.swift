import TuttiSystemIO

extension TCPListener {
    /// Listens on the first free port of a range, or on any port if `ports` is `nil`.
    ///
    /// - Throws: The error of the last port if none is free.
    static func listening(
        at address: IPAddress, oneOf ports: ClosedRange<UInt16>?, options: TCPOptions = TCPOptions()
    ) throws(SystemError) -> TCPListener {
        guard let ports else { return try TCPListener(at: SocketAddress(address, port: 0), options: options) }
        for port in ports.dropLast() {
            // A failure usually means that the port is taken: try the next.
            if let listener = try? TCPListener(at: SocketAddress(address, port: port), options: options) {
                return listener
            }
        }
        return try TCPListener(at: SocketAddress(address, port: ports.upperBound), options: options)
    }
}
