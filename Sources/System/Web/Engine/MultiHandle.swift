import CTuttiCurl
import TuttiCryptography

/// A libcurl multi handle, and the TLS sessions that its transfers share.
final class MultiHandle: @unchecked Sendable {
    // Safe to share: the pointers never change. The engine's thread makes all calls, but for
    // `curl_multi_wakeup`, which libcurl allows on any thread.
    let pointer: UnsafeMutableRawPointer
    let share: UnsafeMutableRawPointer?

    /// The most idle connections kept for reuse.
    private static let keptConnections = 8
    /// Initializes libcurl once per process, before any other call.
    private static let prepared: Bool = {
        Libcrypto.prepare()
        return curl_global_init(Int(shim_global_all)) == CURLE_OK
    }()

    init?() {
        guard Self.prepared, let pointer = curl_multi_init() else { return nil }
        self.pointer = pointer
        // Used on one thread only, so the share needs no locks.
        share = curl_share_init()
        if let share { _ = shim_share(share, CURL_LOCK_DATA_SSL_SESSION) }
        _ = shim_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, Self.keptConnections)
    }

    deinit {
        curl_multi_cleanup(pointer)
        if let share { curl_share_cleanup(share) }
    }

    /// Ends the engine's wait. Any thread.
    func wake() { curl_multi_wakeup(pointer) }
}
