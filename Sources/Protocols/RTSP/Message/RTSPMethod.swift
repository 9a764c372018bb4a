/// The method of a request; any token, with constants for the known ones.
public struct RTSPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name on the wire.
    public let rawValue: String

    /// Creates a method from its name on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name on the wire.
    public var description: String { rawValue }

    /// `ANNOUNCE`, of AirPlay 1: describes a stream.
    public static let announce = RTSPMethod(rawValue: "ANNOUNCE")
    /// `FLUSH`: drops audio of a realtime stream.
    public static let flush = RTSPMethod(rawValue: "FLUSH")
    /// `FLUSHBUFFERED`: drops audio of a buffered stream.
    public static let flushBuffered = RTSPMethod(rawValue: "FLUSHBUFFERED")
    /// `GET`: reads a resource, such as `/info`.
    public static let get = RTSPMethod(rawValue: "GET")
    /// `GET_PARAMETER`: reads a value, such as the volume.
    public static let getParameter = RTSPMethod(rawValue: "GET_PARAMETER")
    /// `OPTIONS`: lists the supported methods.
    public static let options = RTSPMethod(rawValue: "OPTIONS")
    /// `PAUSE`: stops a stream.
    public static let pause = RTSPMethod(rawValue: "PAUSE")
    /// `POST`: sends a body, such as a pairing message.
    public static let post = RTSPMethod(rawValue: "POST")
    /// `PUT`: replaces a resource.
    public static let put = RTSPMethod(rawValue: "PUT")
    /// `RECORD`: starts a session.
    public static let record = RTSPMethod(rawValue: "RECORD")
    /// `SET_PARAMETER`: sets a value, such as volume or metadata.
    public static let setParameter = RTSPMethod(rawValue: "SET_PARAMETER")
    /// `SETPEERS`: lists the addresses of the group's clocks.
    public static let setPeers = RTSPMethod(rawValue: "SETPEERS")
    /// `SETPEERSX`: lists the group's clocks with their ports and identities.
    public static let setPeersX = RTSPMethod(rawValue: "SETPEERSX")
    /// `SETRATEANCHORTIME`: starts or stops playback on a line.
    public static let setRateAnchorTime = RTSPMethod(rawValue: "SETRATEANCHORTIME")
    /// `SETUP`: opens a session or a stream.
    public static let setup = RTSPMethod(rawValue: "SETUP")
    /// `TEARDOWN`: ends a stream or a session.
    public static let teardown = RTSPMethod(rawValue: "TEARDOWN")
}

/// The protocol and version of a start line.
public enum RTSPVersion: String, Hashable, Sendable {
    /// RTSP 1.0, the protocol of AirPlay's sessions.
    case rtsp = "RTSP/1.0"
    /// HTTP 1.1, which some requests use on the same connection.
    case http = "HTTP/1.1"
}
