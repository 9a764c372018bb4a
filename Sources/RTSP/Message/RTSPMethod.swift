/// The method of a request; any token, with constants for the known ones.
public struct RTSPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static let announce = RTSPMethod(rawValue: "ANNOUNCE")
    public static let flush = RTSPMethod(rawValue: "FLUSH")
    public static let flushBuffered = RTSPMethod(rawValue: "FLUSHBUFFERED")
    public static let get = RTSPMethod(rawValue: "GET")
    public static let getParameter = RTSPMethod(rawValue: "GET_PARAMETER")
    public static let options = RTSPMethod(rawValue: "OPTIONS")
    public static let pause = RTSPMethod(rawValue: "PAUSE")
    public static let post = RTSPMethod(rawValue: "POST")
    public static let put = RTSPMethod(rawValue: "PUT")
    public static let record = RTSPMethod(rawValue: "RECORD")
    public static let setParameter = RTSPMethod(rawValue: "SET_PARAMETER")
    public static let setPeers = RTSPMethod(rawValue: "SETPEERS")
    public static let setPeersX = RTSPMethod(rawValue: "SETPEERSX")
    public static let setRateAnchorTime = RTSPMethod(rawValue: "SETRATEANCHORTIME")
    public static let setup = RTSPMethod(rawValue: "SETUP")
    public static let teardown = RTSPMethod(rawValue: "TEARDOWN")
}

/// The protocol and version of a start line.
public enum RTSPVersion: String, Hashable, Sendable {
    case rtsp = "RTSP/1.0"
    case http = "HTTP/1.1"
}
