/// The header `Transport` of an AirPlay 1 SETUP, and of its response.
///
/// Text form: `RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;control_port=6001;timing_port=6002`, and in the
/// response also `server_port`.
package struct RealtimeTransport: Hashable, Sendable {
    /// The name of the header.
    package static let headerName = "Transport"

    /// The UDP port of data packets, in a response.
    package var dataPort: UInt16?
    /// The UDP port of sync packets and resend requests.
    package var controlPort: UInt16
    /// The UDP port of the timing exchange.
    package var timingPort: UInt16

    /// Creates a transport from its ports.
    package init(dataPort: UInt16? = nil, controlPort: UInt16, timingPort: UInt16) {
        self.dataPort = dataPort
        self.controlPort = controlPort
        self.timingPort = timingPort
    }

    /// Most bytes of a header value that is read.
    package static let byteLimit = 1024

    /// Reads a header value.
    ///
    /// - Returns: `nil` for another transport than UDP, such as the TCP of the first AirPort Express, or
    ///   without both ports.
    package init?(headerValue: String) {
        guard headerValue.utf8.count <= Self.byteLimit else { return nil }
        let parts = headerValue.split(separator: ";").map { $0.filter { $0 != " " } }
        guard let profile = parts.first?.uppercased(), profile == "RTP/AVP/UDP" else { return nil }
        func port(_ name: String) -> UInt16? {
            let text = parts.first { $0.lowercased().hasPrefix(name + "=") }
            return text.flatMap { UInt16($0.dropFirst(name.count + 1)) }.flatMap { $0 == 0 ? nil : $0 }
        }
        guard let control = port("control_port"), let timing = port("timing_port") else { return nil }
        self.init(dataPort: port("server_port"), controlPort: control, timingPort: timing)
    }

    /// The header value.
    package var headerValue: String {
        let ports = "control_port=\(controlPort);timing_port=\(timingPort)"
        return "RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;" + ports
            + (dataPort.map { ";server_port=\($0)" } ?? "")
    }
}
