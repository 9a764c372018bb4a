import Testing

@testable import TuttiMQTT

@Suite("The end of a client")
struct GoodbyeTests {
    private static let goodbye = MQTTMessage(topic: "t/status", text: "offline", isRetained: true)

    private static func mailbox(waitingMessages: Int = 4) throws -> ClientMailbox {
        var limits = MQTTConfiguration.Limits()
        limits.waitingMessages = waitingMessages
        let mailbox = ClientMailbox(limits, try #require(WakePipe()))
        mailbox.setConnected(true)
        return mailbox
    }

    private static func take(_ mailbox: ClientMailbox) -> [String] {
        var topics: [String] = []
        while let message = mailbox.takeMessage() { topics.append(message.topic) }
        return topics
    }

    @Test("the last messages take the place of those that wait")
    func last() throws {
        let mailbox = try Self.mailbox()
        mailbox.publish([MQTTMessage(topic: "t/a", text: "1")], areStates: true)
        mailbox.publish([MQTTMessage(topic: "t/e", text: "1")], areStates: false)
        mailbox.stop([Self.goodbye])
        #expect(Self.take(mailbox) == ["t/status"])
    }

    @Test("a full outbox does not drop the last messages")
    func full() throws {
        let mailbox = try Self.mailbox(waitingMessages: 2)
        for topic in ["t/a", "t/b", "t/c"] {
            mailbox.publish([MQTTMessage(topic: topic, text: "1")], areStates: true)
        }
        mailbox.stop([Self.goodbye])
        #expect(Self.take(mailbox) == ["t/status"])
    }

    @Test("an end without last messages sends those that wait")
    func withoutLast() throws {
        let mailbox = try Self.mailbox()
        mailbox.publish([MQTTMessage(topic: "t/a", text: "1")], areStates: true)
        mailbox.stop([])
        #expect(Self.take(mailbox) == ["t/a"])
    }

    @Test("a connection ends in order only if all is written; after the limit the will is left to the broker")
    func limit() {
        let now = ContinuousClock.now
        let (before, after) = (now + .milliseconds(1), now)
        #expect(ConnectionThread.goodbye(wantsWrite: true, now, limit: before) == .later)
        #expect(ConnectionThread.goodbye(wantsWrite: true, now, limit: after) == .byWill)
        #expect(ConnectionThread.goodbye(wantsWrite: false, now, limit: before) == .inOrder)
        #expect(ConnectionThread.goodbye(wantsWrite: false, now, limit: after) == .inOrder)
    }
}
