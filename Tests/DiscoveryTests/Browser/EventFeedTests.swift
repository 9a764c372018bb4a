import Testing

@testable import Discovery

@Suite("Events from the loop's thread to a task")
struct EventFeedTests {
    @Test("come in order, and what was combined comes once")
    func delivery() async throws {
        let feed = EventFeed(settling: .zero)
        let first = try Sample.airplay("A")
        let second = try Sample.airplay("B")
        feed.append([.appeared(first), .appeared(second), .vanished(second)])
        feed.append([])
        #expect(await feed.next() == .appeared(first))
        feed.append([.vanished(first)])
        #expect(await feed.next() == .vanished(first))
        feed.finish()
        #expect(await feed.next() == nil)
    }

    @Test("wake a reader that waits already")
    func waiting() async throws {
        let feed = EventFeed(settling: .zero)
        let service = try Sample.airplay("A")
        async let next = feed.next()
        feed.append([.appeared(service)])
        #expect(await next == .appeared(service))
    }

    @Test("nothing comes after the end")
    func end() async {
        let feed = EventFeed(settling: .zero)
        feed.finish()
        #expect(await feed.next() == nil)
        #expect(await feed.next() == nil)
    }
}
