/// Encrypts what one end of a connection sends and decrypts what it receives.
///
/// A value with the counters of both directions; each direction is called in the order of the bytes.
public protocol RTSPCipher: Sendable {
    /// The bytes to write for these plain ones, whole frames.
    mutating func seal(_ bytes: [UInt8]) -> [UInt8]
    /// The plain bytes of all frames that are complete with these; keeps an incomplete one for the
    /// next call.
    ///
    /// - Throws: When a frame is not authentic; the cipher is of no more use then.
    mutating func open(_ bytes: [UInt8]) throws -> [UInt8]
}

/// Names one request on one connection, in the order in which they were made.
public struct RTSPRequestID: Hashable, Comparable, Sendable {
    public let rawValue: UInt64

    public static func < (left: RTSPRequestID, right: RTSPRequestID) -> Bool {
        left.rawValue < right.rawValue
    }
}
