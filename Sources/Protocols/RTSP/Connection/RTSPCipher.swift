/// The encryption of one connection: seals outgoing bytes and opens incoming ones.
///
/// A value with the counters of both directions; call each direction in the order of the bytes.
package protocol RTSPCipher: Sendable {
    /// Encrypts plain bytes into whole frames, ready to send.
    mutating func seal(_ bytes: [UInt8]) -> [UInt8]
    /// Decrypts all frames that are now complete; keeps an incomplete frame for the next call.
    ///
    /// - Throws: An error if a frame is not authentic; do not use the cipher any further.
    mutating func open(_ bytes: [UInt8]) throws -> [UInt8]
}

/// Identifies one request on one connection; ordered by creation.
package struct RTSPRequestID: Hashable, Comparable, Sendable {
    /// The number of the request on its connection.
    package let rawValue: UInt64

    /// Orders requests by creation.
    package static func < (left: RTSPRequestID, right: RTSPRequestID) -> Bool {
        left.rawValue < right.rawValue
    }
}
