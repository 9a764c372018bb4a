import Testing
import TuttiCryptography
import TuttiTestSupport

@Suite("ChaCha20-Poly1305, many messages with one key")
struct ChaChaPolyCipherTests {
    @Test(
        "one cipher seals and opens in turn, as the one-message functions do",
        arguments: [0, 1, 63, 64, 65, 1408])
    func reuse(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let key = SymmetricKey()
        var cipher = try ChaChaPolyCipher(key: key)
        for counter in 0..<20 as Range<UInt64> {
            let plaintext = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let clear = (0..<Int(counter)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let nonce = ChaChaPolyNonce(counter: counter)
            var sealed: [UInt8] = [1, 2, 3]
            try cipher.seal(
                plaintext[...], nonce: nonce, authenticating: clear[...], appendingTo: &sealed)
            #expect(
                sealed == [1, 2, 3]
                    + (try ChaChaPoly.seal(plaintext, key: key, nonce: nonce, authenticating: clear)))
            var opened: [UInt8] = [4]
            try cipher.open(
                sealed.dropFirst(3), nonce: nonce, authenticating: clear[...], appendingTo: &opened)
            #expect(opened == [4] + plaintext)
        }
    }

    @Test("messages are sealed and opened in place")
    func inPlace() throws {
        let key = SymmetricKey()
        let nonce = ChaChaPolyNonce(counter: 5)
        let plaintext = (0..<100).map { UInt8($0) }
        let clear: [UInt8] = [9, 9]
        var buffer = plaintext + [UInt8](repeating: 0, count: 16)
        var cipher = try ChaChaPolyCipher(key: key)
        let written = try buffer.withUnsafeMutableBytes { buffer in
            try clear.withUnsafeBytes { clear in
                try cipher.seal(
                    UnsafeRawBufferPointer(rebasing: buffer.prefix(100)), nonce: nonce,
                    authenticating: clear, into: buffer)
            }
        }
        #expect(written == 116)
        #expect(buffer == (try ChaChaPoly.seal(plaintext, key: key, nonce: nonce, authenticating: clear)))
        let opened = try buffer.withUnsafeMutableBytes { buffer in
            try clear.withUnsafeBytes { clear in
                try cipher.open(
                    UnsafeRawBufferPointer(buffer), nonce: nonce, authenticating: clear, into: buffer)
            }
        }
        #expect(opened == 100)
        #expect(Array(buffer.prefix(100)) == plaintext)
    }

    @Test("an output that is too small is an error and is not touched")
    func smallOutput() throws {
        var cipher = try ChaChaPolyCipher(key: SymmetricKey())
        let nonce = ChaChaPolyNonce(counter: 0)
        let message = [UInt8](repeating: 3, count: 20)
        var output = [UInt8](repeating: 7, count: 35)
        let errors = message.withUnsafeBytes { message in
            output.withUnsafeMutableBytes { output in
                let empty = UnsafeRawBufferPointer(start: nil, count: 0)
                let first = #expect(throws: CryptographyError.self) {
                    try cipher.seal(message, nonce: nonce, authenticating: empty, into: output)
                }
                let small = UnsafeMutableRawBufferPointer(rebasing: output.prefix(3))
                let second = #expect(throws: CryptographyError.self) {
                    try cipher.open(message, nonce: nonce, authenticating: empty, into: small)
                }
                return [first, second]
            }
        }
        #expect(
            errors == [
                .outputTooSmall(needed: 36, available: 35), .outputTooSmall(needed: 4, available: 3),
            ])
        #expect(output == [UInt8](repeating: 7, count: 35))
    }

    @Test("a failed message leaves zeros or an unchanged array, and the cipher usable")
    func failure() throws {
        let key = SymmetricKey()
        let nonce = ChaChaPolyNonce(counter: 0)
        let plaintext = [UInt8](repeating: 0x55, count: 40)
        let sealed = try ChaChaPoly.seal(plaintext, key: key, nonce: nonce)
        var changed = sealed
        changed[0] ^= 1
        var cipher = try ChaChaPolyCipher(key: key)
        var output = [UInt8](repeating: 7, count: 40)
        #expect(throws: CryptographyError.authenticationFailed) {
            try changed.withUnsafeBytes { changed in
                try output.withUnsafeMutableBytes { output in
                    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
                    try cipher.open(changed, nonce: nonce, authenticating: empty, into: output)
                }
            }
        }
        #expect(output == [UInt8](repeating: 0, count: 40))
        var appended: [UInt8] = [1]
        #expect(throws: CryptographyError.authenticationFailed) {
            try cipher.open(changed[...], nonce: nonce, appendingTo: &appended)
        }
        #expect(appended == [1])
        try cipher.open(sealed[...], nonce: nonce, appendingTo: &appended)
        #expect(appended == [1] + plaintext)
    }
}
