import CTuttiOpenSSL

/// Random bytes fit for keys, from libcrypto's generator, which the kernel seeds.
package enum SecureRandom {
    /// Returns unpredictable bytes. Any thread.
    ///
    /// Ends the program when the machine has no entropy, because there is no safe result.
    package static func bytes(count: Int) -> [UInt8] {
        precondition(count >= 0 && count <= Int32.max, "random bytes: impossible count")
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard count > 0 else { return }
            Libcrypto.prepare()
            precondition(RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "no entropy")
            initialized = count
        }
    }
}

/// ``SecureRandom`` as a generator for the standard library's random functions.
package struct SecureRandomGenerator: RandomNumberGenerator, Sendable {
    /// Creates a generator; all generators use the same source.
    package init() {}

    /// Returns the next 64 unpredictable bits.
    package mutating func next() -> UInt64 {
        SecureRandom.bytes(count: 8).reduce(0) { ($0 << 8) | UInt64($1) }
    }
}
