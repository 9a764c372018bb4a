import CTuttiOpenSSL

/// The lifetime of libcrypto. Call ``prepare()`` before anything of it that needs more than memory, and
/// before a library that uses it.
package enum Libcrypto {
    /// Keeps libcrypto until the process has ended. By default it gives its tables up in `exit`, and a thread that plays on
    /// meanwhile would trap for want of random bytes or a hash (*observed*).
    package static func prepare() { _ = isPrepared }

    private static let isPrepared = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}
