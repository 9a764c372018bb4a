import TuttiCryptography

/// An error that ends an encrypted connection; every later call throws the same error.
package enum SecureChannelError: Error, Equatable, Sendable {
    /// A block declares a length outside 1 ... ``SecureChannel/maximumBlockByteCount``: the peer sends
    /// plaintext, or the stream is out of step.
    case lengthOutOfRange(Int)
    /// A block failed its tag: the two sides' keys differ, or bytes were changed. Blocks are numbered from 0.
    case authenticationFailed(block: UInt64)
}

/// The encryption of both directions of a connection, without its socket.
///
/// Plaintext is sent in blocks: length n of the plaintext (2 bytes, little-endian, 1 ... 1024, also the
/// additional authenticated data), n bytes of ciphertext, 16 bytes of tag. The nonce is the number of the
/// block in its direction, from 0. Message boundaries of the protocol above are independent of blocks.
///
/// A copy continues at the same counters: use one copy only, because a nonce must not be used twice.
///
/// Source: HomeKit Accessory Protocol, session security; *observed* the same on AirPlay's control
/// and event connections.
package struct SecureChannel: Sendable {
    /// The limit of plaintext bytes per block.
    package static let maximumBlockByteCount = 1024
    /// The size of a block's length field, in bytes.
    static let headerByteCount = 2

    private var sender: Direction
    private var receiver: Direction
    /// The beginning of an incomplete block; always less than one whole block.
    private var pending: [UInt8] = []
    private var failure: SecureChannelError?

    private struct Direction: Sendable {
        let key: SymmetricKey
        var block: UInt64 = 0
    }

    /// Creates a channel for a connection on which no byte has been sent either way.
    package init(keys: ChannelKeys) {
        sender = Direction(key: keys.sending)
        receiver = Direction(key: keys.receiving)
    }

    /// The blocks sent and received so far, for logs.
    package var blockCounts: (sent: UInt64, received: UInt64) { (sender.block, receiver.block) }

    /// Returns the bytes to write to the socket for this plaintext; none for none.
    package mutating func seal(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let overhead = Self.headerByteCount + ChaChaPolyCipher.tagByteCount
        let blockCount = (bytes.count - 1) / Self.maximumBlockByteCount + 1
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + blockCount * overhead)
        do {
            var cipher = try ChaChaPolyCipher(key: sender.key)
            var rest = bytes[...]
            while !rest.isEmpty {
                let block = rest.prefix(Self.maximumBlockByteCount)
                rest = rest.dropFirst(block.count)
                let header = [UInt8(truncatingIfNeeded: block.count), UInt8(block.count >> 8)]
                output += header
                try cipher.seal(
                    block, nonce: ChaChaPolyNonce(counter: sender.block), authenticating: header[...],
                    appendingTo: &output)
                sender.block += 1
            }
        } catch {
            // Fails only on a libcrypto without memory or without the algorithm; to send nothing and continue
            // would be a silent loss.
            preconditionFailure("cannot encrypt: \(error)")
        }
        return output
    }

    /// Decrypts bytes from the socket, split anywhere; returns the plaintext of all blocks that are now complete.
    ///
    /// Linear in the number of bytes, however they are split; buffers less than one block.
    ///
    /// - Throws: ``SecureChannelError``, now and for every later call. The plaintext of blocks before the bad
    ///   one in the same call is lost, because the connection is over.
    package mutating func open(_ bytes: [UInt8]) throws(SecureChannelError) -> [UInt8] {
        if let failure { throw failure }
        do {
            return try openBlocks(of: bytes)
        } catch {
            failure = error
            pending = []
            throw error
        }
    }

    private mutating func openBlocks(of bytes: [UInt8]) throws(SecureChannelError) -> [UInt8] {
        var output: [UInt8] = []
        var rest = bytes[...]
        if !pending.isEmpty {
            guard try completePending(from: &rest) else { return [] }
        }
        var cipher = try receiverCipher()
        if !pending.isEmpty {
            try open(block: pending[...], with: &cipher, appendingTo: &output)
            pending.removeAll(keepingCapacity: true)
        }
        output.reserveCapacity(output.count + rest.count)
        while let count = try Self.blockByteCount(of: rest), rest.count >= count {
            try open(block: rest.prefix(count), with: &cipher, appendingTo: &output)
            rest = rest.dropFirst(count)
        }
        pending += rest
        return output
    }

    /// Moves bytes to the pending ones until these are one whole block.
    ///
    /// - Returns: Whether the block is complete.
    private mutating func completePending(
        from rest: inout ArraySlice<UInt8>
    ) throws(SecureChannelError) -> Bool {
        movePending(from: &rest, until: Self.headerByteCount)
        guard let count = try Self.blockByteCount(of: pending[...]) else { return false }
        movePending(from: &rest, until: count)
        return pending.count == count
    }

    private mutating func movePending(from rest: inout ArraySlice<UInt8>, until count: Int) {
        let moved = rest.prefix(max(0, count - pending.count))
        pending += moved
        rest = rest.dropFirst(moved.count)
    }

    /// Returns the length of the block that begins here, header and tag included; `nil` when the header is
    /// incomplete.
    private static func blockByteCount(
        of bytes: ArraySlice<UInt8>
    ) throws(SecureChannelError) -> Int? {
        guard let low = bytes.first, let high = bytes.dropFirst().first else { return nil }
        let count = Int(low) | Int(high) << 8
        guard (1...maximumBlockByteCount).contains(count) else { throw .lengthOutOfRange(count) }
        return headerByteCount + count + ChaChaPolyCipher.tagByteCount
    }

    private mutating func open(
        block: ArraySlice<UInt8>, with cipher: inout ChaChaPolyCipher,
        appendingTo output: inout [UInt8]
    ) throws(SecureChannelError) {
        do {
            try cipher.open(
                block.dropFirst(Self.headerByteCount), nonce: ChaChaPolyNonce(counter: receiver.block),
                authenticating: block.prefix(Self.headerByteCount), appendingTo: &output)
        } catch {
            throw .authenticationFailed(block: receiver.block)
        }
        receiver.block += 1
    }

    private func receiverCipher() throws(SecureChannelError) -> ChaChaPolyCipher {
        // Fails only without memory, and then no block can be checked.
        do {
            return try ChaChaPolyCipher(key: receiver.key)
        } catch {
            throw .authenticationFailed(block: receiver.block)
        }
    }
}
