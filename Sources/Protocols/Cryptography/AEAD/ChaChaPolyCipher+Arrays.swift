extension ChaChaPolyCipher {
    /// Encrypts one message, and appends ciphertext and tag to an array.
    package mutating func seal(
        _ plaintext: ArraySlice<UInt8>, nonce: ChaChaPolyNonce,
        authenticating: ArraySlice<UInt8> = [], appendingTo output: inout [UInt8]
    ) throws(CryptographyError) {
        let start = output.count
        output.append(contentsOf: plaintext)
        output.append(contentsOf: repeatElement(0, count: Self.tagByteCount))
        let result = output.withUnsafeMutableBytes { whole in
            authenticating.withUnsafeBytes { clear in
                let place = UnsafeMutableRawBufferPointer(rebasing: whole[start...])
                let message = UnsafeRawBufferPointer(rebasing: place.dropLast(Self.tagByteCount))
                return Result { () throws(CryptographyError) in
                    try seal(message, nonce: nonce, authenticating: clear, into: place)
                }
            }
        }
        try finish(result, keeping: start, of: &output)
    }

    /// Decrypts one message, and appends the plaintext to an array, which is unchanged on failure.
    ///
    /// - Throws: ``CryptographyError/authenticationFailed`` when key, nonce or any byte differs.
    package mutating func open(
        _ sealed: ArraySlice<UInt8>, nonce: ChaChaPolyNonce,
        authenticating: ArraySlice<UInt8> = [], appendingTo output: inout [UInt8]
    ) throws(CryptographyError) {
        guard sealed.count >= Self.tagByteCount else { throw .missingTag(byteCount: sealed.count) }
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: sealed.count - Self.tagByteCount))
        let result = output.withUnsafeMutableBytes { whole in
            sealed.withUnsafeBytes { message in
                authenticating.withUnsafeBytes { clear in
                    let place = UnsafeMutableRawBufferPointer(rebasing: whole[start...])
                    return Result { () throws(CryptographyError) in
                        try open(message, nonce: nonce, authenticating: clear, into: place)
                    }
                }
            }
        }
        try finish(result, keeping: start, of: &output)
    }

    private func finish(
        _ result: Result<Int, CryptographyError>, keeping count: Int, of output: inout [UInt8]
    ) throws(CryptographyError) {
        do {
            _ = try result.get()
        } catch {
            output.removeLast(output.count - count)
            throw error
        }
    }
}
