import Synchronization
import TuttiHouse

/// One client, as the house and the other clients reach it: its inbox, and the way of its answers. Any thread.
final class Client: Sendable {
    let link: any ClientLink
    let inbox: Mutex<ClientInbox>
    private let ended = Atomic(false)

    /// - Parameter zone: The zone that the client controls at first.
    init(_ link: any ClientLink, zone: ZoneID) {
        self.link = link
        inbox = Mutex(ClientInbox(zone: zone))
    }

    /// Whether the connection has ended: nobody waits for an answer.
    var hasEnded: Bool { ended.load(ordering: .relaxed) }

    /// Notes the end of the connection: the running command ends soon.
    func linkDidEnd() { ended.store(true, ordering: .relaxed) }

    /// Reports events to the client, at once if it waits for them.
    func notify(_ events: IdleEvents) {
        guard let found = inbox.withLock({ $0.add(events) }) else { return }
        answerWait(found)
    }

    /// Begins to wait for events, and answers if one of them has happened already.
    func wait(for events: IdleEvents) {
        guard let found = inbox.withLock({ $0.wait(for: events) }) else { return }
        answerWait(found)
    }

    private func answerWait(_ events: IdleEvents) {
        link.send(Array((events.names.map { "changed: \($0)\n" }.joined() + "OK\n").utf8))
    }
}
