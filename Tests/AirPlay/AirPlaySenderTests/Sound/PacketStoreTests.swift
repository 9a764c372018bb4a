import AirPlayMessages
import Synchronization
import Testing
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Store of encoded packets")
struct PacketStoreTests {
    /// A packet of the model.
    private struct Known {
        var index: Int64
        var frame: Int64
        var count: Int64
        var payload: [UInt8]
        var end: Int64 { frame + count }
    }

    private static func payload(_ number: Int64, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: number &* 131 &+ Int64($0) &* 7) }
    }

    private static func append(
        _ payload: [UInt8], at frame: Int64, count: Int = 352, to store: PacketStore
    ) {
        payload.withUnsafeBytes {
            store.append(frame: frame, frameCount: count, format: .alac44100x16, payload: $0)
        }
    }

    @Test("the store behaves like an array of payloads in any operations", arguments: [7, 8, 9] as [UInt64])
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = PacketStore()
        var model: [Known] = []
        var (next, frame): (Int64, Int64) = (0, 0)
        for _ in 0..<1500 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<70:
                let count = Int.random(in: 1...1024, using: &random)
                let payload = Self.payload(next, Int.random(in: 0...9000, using: &random))
                Self.append(payload, at: frame, count: count, to: store)
                model.append(Known(index: next, frame: frame, count: Int64(count), payload: payload))
                next += 1
                frame += Int64(count)
            case 70..<90:
                let limit = Self.someFrame(of: model, using: &random)
                store.discard(before: limit)
                model.removeAll { $0.end <= limit }
            case 90..<98:
                let limit = Self.someFrame(of: model, using: &random)
                let first = store.truncate(at: limit)
                let gone = model.filter { $0.end > limit }
                #expect(first?.index == gone.first?.index)
                model.removeAll { $0.end > limit }
                frame = gone.first?.frame ?? frame
            default:
                store.removeAll()
                model.removeAll()
            }
            try expectEqual(store, model, next: next, using: &random)
        }
        #expect(next > 900)
    }

    private static func someFrame(of model: [Known], using random: inout SeededGenerator) -> Int64 {
        guard let first = model.first, let last = model.last else { return 0 }
        return Int64.random(in: first.frame - 10...last.end + 10, using: &random)
    }

    private func expectEqual(
        _ store: PacketStore, _ model: [Known], next: Int64, using random: inout SeededGenerator
    ) throws {
        #expect(store.byteCount == model.reduce(0) { $0 + $1.payload.count })
        #expect(store.startFrame == model.first?.frame)
        #expect(store.endFrame == model.last?.end)
        let frame = Self.someFrame(of: model, using: &random)
        let holding = model.firstIndex { $0.end > frame }
        let found = store.packet(holding: frame)
        #expect(found?.index == holding.map { model[$0].index })
        if let found, let holding {
            let known = model[holding]
            #expect(found.frame == known.frame && found.endFrame == known.end)
            #expect(found.withPayload { Array($0) } == known.payload)
            #expect(store.packet(atOrAfter: found.index)?.index == found.index)
            let before = store.packets(before: found.index, count: 2).map(\.index)
            #expect(before == model[..<holding].suffix(2).map(\.index))
        }
        let start = max(0, (holding ?? model.count) - 2)
        #expect(
            store.index(holding: frame, leading: 2) == (start < model.count ? model[start].index : next))
        let ahead = store.ahead(of: frame)
        let rest = model.filter { $0.end > frame }
        #expect(ahead.bytes == rest.reduce(0) { $0 + $1.payload.count })
        #expect(ahead.packets == rest.count)
    }

    @Test("payloads stay intact across slabs, and after their removal from the store")
    func slabs() throws {
        let store = PacketStore()
        // A slab has 128 KiB: 1450 bytes do not divide it, and 200,000 bytes need a slab of their own.
        let sizes = (0..<300).map { $0 == 150 ? 200_000 : 1450 }
        for (number, size) in sizes.enumerated() {
            Self.append(Self.payload(Int64(number), size), at: Int64(number) * 352, to: store)
        }
        var kept: [PacketStore.Packet] = []
        var index: Int64 = 0
        while let packet = store.packet(atOrAfter: index) {
            kept.append(packet)
            index = packet.index + 1
        }
        store.removeAll()
        for number in 0..<300 {
            Self.append(Self.payload(5000, 1450), at: Int64(number) * 352, to: store)
        }
        #expect(kept.count == sizes.count)
        for (number, packet) in kept.enumerated() {
            let bytes = packet.withPayload { Array($0) }
            #expect(bytes == Self.payload(Int64(number), sizes[number]))
        }
    }

    @Test("packet indices are never reused")
    func numbers() {
        let store = PacketStore()
        for number in 0..<4 { Self.append([1], at: Int64(number) * 352, to: store) }
        #expect(store.truncate(at: 352 * 2)?.index == 2)
        Self.append([2], at: 352 * 2, to: store)
        #expect(store.packet(holding: 352 * 2)?.index == 4)
        store.removeAll()
        Self.append([3], at: 0, to: store)
        #expect(store.packet(holding: 0)?.index == 5)
        #expect(store.packet(atOrAfter: 0)?.index == 5)
    }

    @Test("an empty store has no packets, frames or bytes")
    func empty() {
        let store = PacketStore()
        #expect(store.startFrame == nil && store.endFrame == nil && store.byteCount == 0)
        #expect(store.packet(holding: 0) == nil && store.packet(atOrAfter: 0) == nil)
        #expect(store.truncate(at: 0) == nil)
        #expect(store.index(holding: 0, leading: 2) == 0)
        #expect(store.ahead(of: 0) == (0, 0))
        #expect(store.packets(before: 3, count: 2).isEmpty)
        store.discard(before: 100)
    }

    @Test("watchers are notified of every append until they are removed")
    func watch() {
        let store = PacketStore()
        let first = Mutex(0)
        let second = Mutex(0)
        let token = store.watch { first.withLock { $0 += 1 } }
        let other = store.watch { second.withLock { $0 += 1 } }
        #expect(token != other)
        Self.append([1], at: 0, to: store)
        store.unwatch(token)
        Self.append([2], at: 352, to: store)
        store.truncate(at: 0)
        #expect(first.withLock { $0 } == 1)
        #expect(second.withLock { $0 } == 2)
    }

    @Test("each format has its own silence, which counts neither as bytes nor as frames")
    func silence() {
        let store = PacketStore()
        [UInt8](repeating: 7, count: 20).withUnsafeBytes {
            store.setSilence($0, frameCount: 352, format: .alac44100x16)
        }
        #expect(store.silence(.alac44100x16)?.withPayload { Array($0) } == [UInt8](repeating: 7, count: 20))
        #expect(store.silence(.aac44100) == nil)
        #expect(store.byteCount == 0 && store.startFrame == nil)
    }

    @Test("concurrent readers see whole packets in order")
    func concurrentReaders() async {
        let store = PacketStore()
        let count: Int64 = 3000
        await withTaskGroup(of: Int64.self) { tasks in
            for _ in 0..<2 {
                tasks.addTask {
                    var (index, wrong): (Int64, Int64) = (0, 0)
                    while index < count {
                        guard let packet = store.packet(atOrAfter: index) else {
                            await Task.yield()
                            continue
                        }
                        let expected = Self.payload(packet.index, Int(packet.index % 900))
                        if packet.index != index || packet.withPayload({ Array($0) }) != expected {
                            wrong += 1
                        }
                        index = packet.index + 1
                    }
                    return wrong
                }
            }
            for number in 0..<count {
                Self.append(Self.payload(number, Int(number % 900)), at: number * 352, to: store)
                if number % 64 == 0 { await Task.yield() }
            }
            for await wrong in tasks { #expect(wrong == 0) }
        }
    }
}
