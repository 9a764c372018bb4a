internal import SystemIO

extension TCPListener {
    /// Listens at the first port of a range that is free; at any port without a range.
    ///
    /// - Throws: What the last port said when none is free.
    static func listening(
        at address: IPAddress, oneOf ports: ClosedRange<UInt16>?, options: TCPOptions = TCPOptions()
    ) throws(SystemError) -> TCPListener {
        guard let ports else { return try TCPListener(at: SocketAddress(address, port: 0), options: options) }
        for port in ports.dropLast() {
            // Taken: the next one may be free.
            if let listener = try? TCPListener(at: SocketAddress(address, port: port), options: options) {
                return listener
            }
        }
        return try TCPListener(at: SocketAddress(address, port: ports.upperBound), options: options)
    }
}
