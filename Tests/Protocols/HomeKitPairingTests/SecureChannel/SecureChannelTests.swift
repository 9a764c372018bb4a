import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiTestSupport

@Suite("Secure channel")
struct SecureChannelTests {
    static let keys = ChannelKeys(sending: SymmetricKey(), receiving: SymmetricKey())

    static func ends() -> (left: SecureChannel, right: SecureChannel) {
        (SecureChannel(keys: keys), SecureChannel(keys: keys.reversed))
    }

    static func message(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }

    static let lengths: [(Int, blocks: [Int])] = [
        (0, []), (1, [1]), (1023, [1023]), (1024, [1024]), (1025, [1024, 1]), (2048, [1024, 1024]),
        (5000, [1024, 1024, 1024, 1024, 904]),
    ]

    @Test("messages are split into blocks of at most 1024 bytes", arguments: lengths)
    func blocks(count: Int, blocks: [Int]) throws {
        var (left, right) = Self.ends()
        let sealed = left.seal(Self.message(count))
        #expect(sealed.count == count + 18 * blocks.count)
        var start = 0
        for block in blocks {
            #expect(Int(sealed[start]) + Int(sealed[start + 1]) * 256 == block)
            start += block + 18
        }
        #expect(try right.open(sealed) == Self.message(count))
        #expect(left.blockCounts.sent == UInt64(blocks.count))
        #expect(right.blockCounts.received == UInt64(blocks.count))
    }

    @Test("each direction has its own counter")
    func directions() throws {
        var (left, right) = Self.ends()
        for count in [3, 1500, 1, 700] {
            #expect(try right.open(left.seal(Self.message(count))) == Self.message(count))
            #expect(try left.open(right.seal(Self.message(count + 1))) == Self.message(count + 1))
        }
        // Equal bytes never have equal ciphertexts.
        #expect(left.seal([1, 2, 3]) != left.seal([1, 2, 3]))
    }

    /// Blocks of 5, 1024, 1 and 60 bytes.
    static func stream(from channel: inout SecureChannel) -> [UInt8] {
        channel.seal(message(5)) + channel.seal(message(1025)) + channel.seal(message(60))
    }

    static let streamPlaintext = message(5) + message(1025) + message(60)
    static let streamByteCount = streamPlaintext.count + 4 * 18

    @Test("the result does not depend on where the stream is split", arguments: 1...streamByteCount)
    func anyCut(step: Int) throws {
        var (left, right) = Self.ends()
        let stream = Self.stream(from: &left)
        var opened: [UInt8] = []
        for start in stride(from: 0, to: stream.count, by: step) {
            opened += try right.open(Array(stream[start..<min(start + step, stream.count)]))
        }
        #expect(opened == Self.streamPlaintext)
    }

    @Test(
        "a stream split in two opens its first part as far as it is complete", arguments: 0...streamByteCount)
    func twoPieces(cut: Int) throws {
        var (left, right) = Self.ends()
        let stream = Self.stream(from: &left)
        let first = try right.open(Array(stream[..<cut]))
        // Ends of blocks in the stream, and the plaintext up to them.
        let ends = [(0, 0), (23, 5), (1065, 1029), (1084, 1030), (1162, 1090)]
        #expect(first.count == ends.last { $0.0 <= cut }?.1)
        #expect(try first + right.open(Array(stream[cut...])) == Self.streamPlaintext)
    }

    static let badLengths: [[UInt8]] = [[0, 0], [1, 4], [0, 5], [255, 255], Array("RT".utf8)]

    @Test("a length outside 1 ... 1024 fails for good, at once", arguments: badLengths)
    func badLength(header: [UInt8]) throws {
        let error = SecureChannelError.lengthOutOfRange(Int(header[0]) + Int(header[1]) * 256)
        var (left, whole) = Self.ends()
        var pieces = whole
        #expect(throws: error) { try whole.open(header) }
        #expect(try pieces.open([header[0]]) == [])
        #expect(throws: error) { try pieces.open([header[1]]) }
        let good = left.seal([1])
        #expect(throws: error) { try whole.open(good) }
        #expect(throws: error) { try pieces.open([]) }
    }

    @Test("changing any bit of a block fails authentication", arguments: 0..<23)
    func tampered(index: Int) throws {
        for bit in 0..<8 {
            var (left, right) = Self.ends()
            _ = try right.open(left.seal([7]))
            let good = left.seal(Self.message(5))
            var changed = good
            changed[index] ^= 1 << UInt8(bit)
            // A mutated length may wait for more bytes; a full block of them ends the wait.
            changed += [UInt8](repeating: 0, count: 1100)
            #expect(throws: SecureChannelError.self) { try right.open(changed) }
            #expect(throws: SecureChannelError.self) { try right.open(good) }
        }
    }

    @Test("a block that is repeated, left out or in another direction fails its tag")
    func outOfPlace() throws {
        let (left, right) = Self.ends()
        var sender = left
        let first = sender.seal([1])
        let second = sender.seal([2])
        var twice = right
        #expect(try twice.open(first) == [1])
        #expect(throws: SecureChannelError.authenticationFailed(block: 1)) { try twice.open(first) }
        var leftOut = right
        #expect(throws: SecureChannelError.authenticationFailed(block: 0)) { try leftOut.open(second) }
        var reflected = left
        #expect(throws: SecureChannelError.authenticationFailed(block: 0)) { try reflected.open(first) }
    }

    @Test("an end that failed to open can still send")
    func sendsAfterFailure() throws {
        var (left, right) = Self.ends()
        #expect(throws: SecureChannelError.self) { try right.open([0, 0]) }
        #expect(try left.open(right.seal([1, 2])) == [1, 2])
    }

    @Test("random bytes never trap", arguments: 0..<300)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var (_, channel) = Self.ends()
        for _ in 0..<20 {
            let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...4, using: &random)
            }
            // Random bytes open to nothing, now or later.
            if let opened = try? channel.open(bytes) { #expect(opened == []) }
        }
    }
}
