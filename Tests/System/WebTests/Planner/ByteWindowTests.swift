import Testing

@testable import TuttiWeb

@Suite("A window of bytes")
struct ByteWindowTests {
    @Test("the window holds its bytes, however they were split", arguments: [1, 7, 1000, 65_536, 100_000])
    func pieces(size: Int) {
        let bytes = noise(300_000)
        var window = ByteWindow(at: 1 << 40)
        var given = 0
        while given < bytes.count {
            let end = min(bytes.count, given + size)
            bytes[given..<end].withUnsafeBytes { window.append($0) }
            given = end
            window.forget(before: (1 << 40) + Int64(given) - 50_000)
        }
        #expect(window.end == (1 << 40) + 300_000)
        #expect(window.count == 50_000)
        var room = [UInt8](repeating: 0, count: 60_000)
        let count = room.withUnsafeMutableBytes { window.copy(from: window.start, into: $0) }
        #expect(count == 50_000)
        #expect(room[..<count].elementsEqual(bytes[250_000...]))
        for outside in [window.end, window.start - 1] {
            let none = room.withUnsafeMutableBytes { window.copy(from: outside, into: $0) }
            #expect(none == 0)
        }
    }
}
