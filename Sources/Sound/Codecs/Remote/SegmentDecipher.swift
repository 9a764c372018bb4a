import CTuttiFFmpeg

/// A decryptor for HLS segments: AES-128 in CBC mode, padded to whole blocks.
///
/// Source: RFC 8216, 4.3.2.4; the padding is that of RFC 5652, 6.3.
final class SegmentDecipher {
    private static let blockSize = 16

    private let state: OpaquePointer
    private var vector: [UInt8]
    /// Encrypted bytes: less than a block, or possibly the last block.
    private var pending: [UInt8] = []
    private var clear: [UInt8] = []
    private var given = 0
    private var hasEnded = false

    /// - Parameters:
    ///   - key: 32 hexadecimal digits.
    ///   - vector: 32 hexadecimal digits.
    init?(key: String, vector: String) {
        guard let key = Self.bytes(key), let vector = Self.bytes(vector), let state = av_aes_alloc() else {
            return nil
        }
        self.state = state
        self.vector = vector
        guard av_aes_init(state, key, Int32(Self.blockSize * 8), 1) >= 0 else { return nil }
    }

    deinit { av_free(UnsafeMutableRawPointer(state)) }

    /// Whether all bytes were taken.
    var isAtEnd: Bool { hasEnded && given == clear.count }

    func append(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
        pending += bytes
        // The last block holds the padding, so one block is held back until more data or the end arrives.
        let count = isLast ? pending.count / Self.blockSize : max(0, pending.count - 1) / Self.blockSize
        if given == clear.count { (clear, given) = ([], 0) }
        if count > 0 {
            var output = [UInt8](repeating: 0, count: count * Self.blockSize)
            av_aes_crypt(state, &output, pending, Int32(count), &vector, 1)
            clear += output
            pending.removeFirst(count * Self.blockSize)
        }
        if isLast {
            hasEnded = true
            removePadding()
        }
    }

    /// Copies decrypted bytes and returns their count.
    func take(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, clear.count - given)
        target.copyBytes(from: clear[given..<given + count])
        given += count
        return count
    }

    private func removePadding() {
        guard let last = clear.last, (1...Self.blockSize).contains(Int(last)),
            clear.count - given >= Int(last), clear.suffix(Int(last)).allSatisfy({ $0 == last })
        else { return }
        clear.removeLast(Int(last))
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count == 2 * blockSize else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        let known = bytes.compactMap(\.self)
        return known.count == bytes.count ? known : nil
    }
}
