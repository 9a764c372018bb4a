import TuttiHouse

/// Messages between clients of a zone.
struct MessageCommands: Sendable {
    let core: ServerCore
    let client: Client
    let zone: ClientZone

    private static func check(channel: String) throws(CommandError) {
        let isValid = channel.utf8.allSatisfy { byte in
            byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A
                || [0x2D, 0x2E, 0x3A, 0x5F].contains(byte)
        }
        guard isValid, !channel.isEmpty else { throw CommandError(.argument, "invalid channel name") }
    }

    /// The clients of the zone.
    private var neighbours: [Client] {
        let zone = zone.id
        return core.clients.filter { $0.inbox.withLock { $0.zone } == zone }
    }

    func subscribe(_ channel: String) throws(CommandError) {
        try Self.check(channel: channel)
        let (isFull, isNew) = client.inbox.withLock { inbox in
            let isFull = inbox.channels.count >= ClientInbox.channelLimit && !inbox.channels.contains(channel)
            return (isFull, isFull ? false : inbox.channels.insert(channel).inserted)
        }
        if isFull { throw CommandError(.exists, "subscription list is full") }
        guard isNew else { throw CommandError(.exists, "already subscribed to this channel") }
        core.notify(.subscription, of: zone.id)
    }

    func unsubscribe(_ channel: String) throws(CommandError) {
        guard client.inbox.withLock({ $0.channels.remove(channel) }) != nil else {
            throw CommandError(.missing, "not subscribed to this channel")
        }
        core.notify(.subscription, of: zone.id)
    }

    func listChannels(_ answer: inout AnswerWriter) {
        let all = neighbours.reduce(into: Set<String>()) { $0.formUnion($1.inbox.withLock { $0.channels }) }
        for channel in all.sorted() { answer.add("channel", channel) }
    }

    func sendMessage(_ channel: String, _ text: String) throws(CommandError) {
        try Self.check(channel: channel)
        var isSent = false
        for client in neighbours where client.inbox.withLock({ $0.add(message: text, channel: channel) }) {
            isSent = true
            client.notify(.message)
        }
        guard isSent else { throw CommandError(.missing, "nobody is subscribed to this channel") }
    }

    func readMessages(_ answer: inout AnswerWriter) {
        for message in client.inbox.withLock({ $0.takeMessages() }) {
            answer.add("channel", message.channel)
            answer.add("message", message.text)
        }
    }
}
