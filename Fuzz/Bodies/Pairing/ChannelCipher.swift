import HomeKitPairing
import TuttiCryptography
import TuttiRTSP

/// A secure channel with fixed keys, as an RTSP connection uses it.
struct ChannelCipher: RTSPCipher {
    private var channel: SecureChannel

    private init(_ keys: ChannelKeys) { channel = SecureChannel(keys: keys) }

    /// Both ends of one connection.
    static func pair() throws(BrokenInvariant) -> (ChannelCipher, ChannelCipher) {
        let keys = try fixedKeys()
        return (ChannelCipher(keys), ChannelCipher(keys.reversed))
    }

    mutating func seal(_ bytes: [UInt8]) -> [UInt8] { channel.seal(bytes) }

    mutating func open(_ bytes: [UInt8]) throws -> [UInt8] { try channel.open(bytes) }
}

/// Keys that are the same in every run.
func fixedKeys() throws(BrokenInvariant) -> ChannelKeys {
    ChannelKeys(sending: try fixedKey(1), receiving: try fixedKey(2))
}

func fixedKey(_ filler: UInt8) throws(BrokenInvariant) -> SymmetricKey {
    do {
        return try SymmetricKey([UInt8](repeating: filler, count: SymmetricKey.byteCount))
    } catch {
        throw BrokenInvariant(description: "a key of 32 bytes is a key: \(error)")
    }
}
