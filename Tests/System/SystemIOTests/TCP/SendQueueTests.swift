import Glibc
import Testing

@testable import TuttiSystemIO

@Suite("Bytes that wait for room in the kernel")
struct SendQueueTests {
    /// Takes at most so many bytes at a time, and no more than the room in all.
    private static func drain(_ queue: inout SendQueue, step: Int, room: Int) throws -> [UInt8] {
        var taken: [UInt8] = []
        try queue.drain { bytes in
            let count = min(step, bytes.count, room - taken.count)
            taken += bytes.prefix(count)
            return .success(count)
        }
        return taken
    }

    @Test("bytes leave in order, however the kernel takes them", arguments: [1, 3, 1000])
    func order(step: Int) throws {
        var queue = SendQueue()
        var (next, expected): (UInt8, UInt8) = (0, 0)
        for round in 1...200 {
            let more = (0..<round % 17).map { _ -> UInt8 in
                defer { next &+= 1 }
                return next
            }
            let isTaken = queue.append(more[...], limit: 10_000)
            #expect(isTaken)
            for byte in try Self.drain(&queue, step: step, room: round % 13) {
                #expect(byte == expected)
                expected &+= 1
            }
        }
        for byte in try Self.drain(&queue, step: step, room: .max) {
            #expect(byte == expected)
            expected &+= 1
        }
        #expect(queue.isEmpty && expected == next)
    }

    @Test("bytes beyond the limit are refused whole, and the others stay")
    func limit() throws {
        var queue = SendQueue()
        let first = queue.append([1, 2, 3], limit: 4)
        let second = queue.append([4, 5], limit: 4)
        let third = queue.append([6], limit: 4)
        let none = queue.append([], limit: 4)
        #expect(first && !second && third && none)
        let left = try Self.drain(&queue, step: 2, room: 3)
        #expect(left == [1, 2, 3])
        // Bytes that have left make room.
        let fourth = queue.append([7, 8, 9], limit: 4)
        #expect(fourth)
        let rest = try Self.drain(&queue, step: 9, room: 9)
        #expect(rest == [6, 7, 8, 9])
    }

    @Test("an error keeps the bytes, and an empty queue asks the kernel nothing")
    func failure() throws {
        var queue = SendQueue()
        let broken = SystemError(operation: "send", code: EPIPE)
        #expect(throws: Never.self) { try queue.drain { _ in .failure(broken) } }
        _ = queue.append([1, 2], limit: 10)
        #expect(throws: broken) { try queue.drain { _ in .failure(broken) } }
        let kept = try Self.drain(&queue, step: 9, room: 9)
        #expect(kept == [1, 2])
    }
}
