/// The method of a request; any token, with constants for the known ones.
package struct RTSPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name on the wire.
    package let rawValue: String

    /// Creates a method from its name on the wire.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The name on the wire.
    package var description: String { rawValue }

    /// `ANNOUNCE`, of AirPlay 1: describes a stream.
    package static let announce = RTSPMethod(rawValue: "ANNOUNCE")
    /// `FLUSH`: drops audio of a realtime stream.
    package static let flush = RTSPMethod(rawValue: "FLUSH")
    /// `FLUSHBUFFERED`: drops audio of a buffered stream.
    package static let flushBuffered = RTSPMethod(rawValue: "FLUSHBUFFERED")
    /// `GET`: reads a resource, such as `/info`.
    package static let get = RTSPMethod(rawValue: "GET")
    /// `GET_PARAMETER`: reads a value, such as the volume.
    package static let getParameter = RTSPMethod(rawValue: "GET_PARAMETER")
    /// `OPTIONS`: lists the supported methods.
    package static let options = RTSPMethod(rawValue: "OPTIONS")
    /// `PAUSE`: stops a stream.
    package static let pause = RTSPMethod(rawValue: "PAUSE")
    /// `POST`: sends a body, such as a pairing message.
    package static let post = RTSPMethod(rawValue: "POST")
    /// `PUT`: replaces a resource.
    package static let put = RTSPMethod(rawValue: "PUT")
    /// `RECORD`: starts a session.
    package static let record = RTSPMethod(rawValue: "RECORD")
    /// `SET_PARAMETER`: sets a value, such as volume or metadata.
    package static let setParameter = RTSPMethod(rawValue: "SET_PARAMETER")
    /// `SETPEERS`: lists the addresses of the group's clocks.
    package static let setPeers = RTSPMethod(rawValue: "SETPEERS")
    /// `SETPEERSX`: lists the group's clocks with their ports and identities.
    package static let setPeersX = RTSPMethod(rawValue: "SETPEERSX")
    /// `SETRATEANCHORTIME`: starts or stops playback on a line.
    package static let setRateAnchorTime = RTSPMethod(rawValue: "SETRATEANCHORTIME")
    /// `SETUP`: opens a session or a stream.
    package static let setup = RTSPMethod(rawValue: "SETUP")
    /// `TEARDOWN`: ends a stream or a session.
    package static let teardown = RTSPMethod(rawValue: "TEARDOWN")
}

/// The protocol and version of a start line.
package enum RTSPVersion: String, Hashable, Sendable {
    /// RTSP 1.0, the protocol of AirPlay's sessions.
    case rtsp = "RTSP/1.0"
    /// HTTP 1.1, which some requests use on the same connection.
    case http = "HTTP/1.1"
}
