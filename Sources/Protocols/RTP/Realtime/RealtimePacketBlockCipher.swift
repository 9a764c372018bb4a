import TuttiCryptography

/// Encrypts the packets of one realtime stream of AirPlay 1 for a speaker that wants RSA: whole blocks of the
/// audio by AES-128-CBC, each packet from the same initial vector on; the bytes after the last block stay in the
/// clear. Allocates only in `init`. Not thread-safe.
package struct RealtimePacketBlockCipher: ~Copyable, Sendable {
    private var chain: AES128BlockChain

    /// - Parameters:
    ///   - key: 16 bytes, which the speaker gets encrypted in `rsaaeskey`.
    ///   - iv: 16 bytes: `aesiv`.
    package init(key: [UInt8], iv: [UInt8]) throws(CryptographyError) {
        chain = try AES128BlockChain(key: key, iv: iv)
    }

    /// Encrypts and writes one packet.
    ///
    /// - Parameters:
    ///   - payload: The encoded audio. Must not overlap `output`.
    ///   - output: At least `payload.count` + ``RealtimePacketHeader/byteCount`` bytes.
    /// - Returns: The number of bytes written to `output`.
    /// - Throws: ``RTPError``; the content of `output` is then undefined.
    package mutating func encrypt(
        payload: UnsafeRawBufferPointer, header: RealtimePacketHeader,
        into output: UnsafeMutableRawBufferPointer
    ) throws(RTPError) -> Int {
        let byteCount = RealtimePacketHeader.byteCount + payload.count
        guard output.count >= byteCount else {
            throw .outputTooSmall(needed: byteCount, available: output.count)
        }
        header.write(to: output)
        do {
            try chain.encryptWholeBlocks(
                of: payload,
                into: UnsafeMutableRawBufferPointer(
                    rebasing: output[RealtimePacketHeader.byteCount..<byteCount]))
        } catch {
            throw .cipherFailed(error)
        }
        return byteCount
    }
}
