/// The header `Transport` of an AirPlay 1 SETUP: the UDP ports of one side.
public struct TransportHeader: Hashable, Sendable {
    /// The name of the header.
    public static let headerName = "Transport"

    /// The port of the sound: `server_port`; `nil` in a request.
    public var serverPort: UInt16?
    /// The port of sync packets and requests for lost packets: `control_port`.
    public var controlPort: UInt16?
    /// The port of the timing exchange: `timing_port`.
    public var timingPort: UInt16?

    /// Creates a header from its parts.
    public init(serverPort: UInt16? = nil, controlPort: UInt16?, timingPort: UInt16?) {
        (self.serverPort, self.controlPort, self.timingPort) = (serverPort, controlPort, timingPort)
    }

    /// Reads a header value. Ignores parts that it does not know; a port that is no port, or 0, is `nil`.
    public init(headerValue: String) {
        func port(_ name: String) -> UInt16? {
            for part in headerValue.split(separator: ";") {
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == name else { continue }
                return UInt16(pair[1].filter { $0 != " " }).flatMap { $0 == 0 ? nil : $0 }
            }
            return nil
        }
        self.init(
            serverPort: port("server_port"), controlPort: port("control_port"),
            timingPort: port("timing_port"))
    }

    /// The header value.
    public var headerValue: String {
        var parts = ["RTP/AVP/UDP", "unicast", "interleaved=0-1", "mode=record"]
        for (name, port) in [
            ("server_port", serverPort), ("control_port", controlPort), ("timing_port", timingPort),
        ] {
            if let port { parts.append("\(name)=\(port)") }
        }
        return parts.joined(separator: ";")
    }
}
