import Testing

@testable import TuttiDiscovery

@Suite("Events from the loop's thread to a task")
struct EventFeedTests {
    @Test("events arrive in order, and merged events arrive once")
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

    @Test("an event wakes a waiting reader")
    func waiting() async throws {
        let feed = EventFeed(settling: .zero)
        let service = try Sample.airplay("A")
        async let next = feed.next()
        feed.append([.appeared(service)])
        #expect(await next == .appeared(service))
    }

    @Test("nothing arrives after the end")
    func end() async {
        let feed = EventFeed(settling: .zero)
        feed.finish()
        #expect(await feed.next() == nil)
        #expect(await feed.next() == nil)
    }
}
