import Testing
import TuttiHTTPService

@testable import TuttiHouseWeb

@Suite("The ring of changes")
struct ChangeRingTests {
    private static func event(size: Int) -> ServerSentEvent {
        ServerSentEvent(name: "a", data: [UInt8](repeating: 0x78, count: size))
    }

    @Test("a client resumes after any change that the ring still has")
    func resume() {
        var ring = ChangeRing()
        #expect(ring.changes(after: 5)?.isEmpty == true)
        let event = Self.event(size: 1)
        for revision in UInt64(6)...3_000 { ring.append(ChangeRing.Entry(revision: revision, event: event)) }
        let limit = UInt64(ChangeRing.countLimit)
        #expect(ring.changes(after: 3_000)?.isEmpty == true)
        #expect(ring.changes(after: 2_990)?.map(\.revision) == Array(2_991...3_000))
        #expect(ring.changes(after: 3_000 - limit)?.count == ChangeRing.countLimit)
        #expect(ring.changes(after: 3_000 - limit - 1) == nil)
        #expect(ring.last == 3_000)
    }

    @Test("large changes leave room for fewer")
    func bytes() {
        var ring = ChangeRing()
        let event = Self.event(size: 100_000)
        for revision in UInt64(1)...100 { ring.append(ChangeRing.Entry(revision: revision, event: event)) }
        #expect(ring.changes(after: 90)?.count == 10 && ring.changes(after: 10) == nil)
    }
}
