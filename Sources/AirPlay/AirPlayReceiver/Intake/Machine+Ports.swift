import TuttiSystemIO

extension Machine {
    /// Listens on the first free port of a range, or on any port if `ports` is `nil`.
    ///
    /// - Throws: The error of the last port if none is free.
    func listen(
        at address: IPAddress, oneOf ports: ClosedRange<UInt16>?, options: TCPOptions = TCPOptions()
    ) throws(SystemError) -> TCPListener {
        guard let ports else { return try listen(at: address, port: 0, options) }
        for port in ports.dropLast() {
            // A failure usually means that the port is taken: try the next.
            if let listener = try? listen(at: address, port: port, options) { return listener }
        }
        return try listen(at: address, port: ports.upperBound, options)
    }

    private func listen(
        at address: IPAddress, port: UInt16, _ options: TCPOptions
    ) throws(SystemError) -> TCPListener {
        try listen(at: SocketAddress(address, port: port), options: options, waitsForData: false)
    }
}
