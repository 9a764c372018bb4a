import Glibc
import Testing

@testable import TuttiCryptography

@Suite("libcrypto")
struct LibcryptoTests {
    @Test("libcrypto works until the process has ended, for threads that play on after exit")
    func exit() async {
        await #expect(processExitsWith: .success) {
            // Handlers run in the reverse order: libcrypto's, if it has one, before this one.
            atexit {
                let hash = SHA512.hash(SecureRandom.bytes(count: 8))
                let cipher = try? ChaChaPolyCipher(key: SymmetricKey(Array(hash.prefix(32))))
                _exit(cipher == nil ? 1 : 0)
            }
            _ = SHA512.hash(SecureRandom.bytes(count: 8))
            Glibc.exit(2)
        }
    }
}
