import TuttiHouse

/// The connection itself: permission, waiting, and what the client wants to be told.
extension ClientSession {
    /// The least and the most bytes of a part of a picture.
    private static let binaryLimits = 64...(1 << 20)

    func givePassword(_ text: String) throws(CommandError) {
        if let password = core.password {
            // Takes as long for each wrong password of a length.
            let (own, given) = (Array(password.utf8), Array(text.utf8))
            let difference = zip(own, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            guard own.count == given.count, difference == 0 else {
                throw CommandError(.password, "incorrect password")
            }
        } else {
            throw CommandError(.password, "incorrect password")
        }
        isTrusted = true
    }

    func idle(_ names: [String]) async throws(CommandError) {
        var events: IdleEvents = names.isEmpty ? .all : []
        for name in names { events.formUnion(try IdleEvents(name: name)) }
        // Answers before it come first.
        await send()
        guard let found = inbox.withLock({ $0.wait(for: events) }) else { return }
        link.send(Self.idleAnswer(found))
    }

    func refuseLocal() throws(CommandError) {
        throw CommandError(.permission, "Command only permitted to local clients")
    }

    func refuse(_ message: String) throws(CommandError) { throw CommandError(.unknown, message) }

    // MARK: Abilities

    /// Commands that exist, and always fail.
    private static let unavailable: Set<String> = ["sticker", "listneighbors", "mount", "unmount"]

    func listCommands(allowed: Bool) {
        for command in CommandTable.commands.values.sorted(by: { $0.name < $1.name })
        where !Self.unavailable.contains(command.name) && (isTrusted || command.isOpen) == allowed {
            response.add("command", command.name)
        }
    }

    func listSchemes() { for scheme in ["http://", "https://"] { response.add("handler", scheme) } }

    func listDecoders() {
        response.add("plugin", "ffmpeg")
        for ending in [
            "aac", "aif", "aiff", "alac", "flac", "m4a", "mp3", "mp4", "oga", "ogg", "opus", "wav", "wma",
        ] {
            response.add("suffix", ending)
        }
        for type in ["audio/aac", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/wav"] {
            response.add("mime_type", type)
        }
    }

    func tagTypes(_ arguments: [String]) throws(CommandError) {
        guard let action = arguments.first else {
            for tag in Tag.allCases where tags.contains(tag) { response.add("tagtype", "\(tag.name)") }
            return
        }
        switch action {
        case "all": tags = .all
        case "clear": tags = []
        case "enable": tags.formUnion(try Self.tags(arguments.dropFirst()))
        case "disable": tags.subtract(try Self.tags(arguments.dropFirst()))
        default: throw CommandError(.argument, "Unknown sub command")
        }
    }

    private static func tags(_ names: ArraySlice<String>) throws(CommandError) -> TagSet {
        guard !names.isEmpty else { throw CommandError(.argument, "Not enough arguments") }
        var tags: TagSet = []
        for name in names {
            guard let tag = Tag.Named(name) else { throw CommandError(.argument, "Unknown tag type") }
            if case .known(let known) = tag { tags.insert(TagSet(known)) }
        }
        return tags
    }

    func setBinaryLimit(_ value: String) throws(CommandError) {
        let size = try Argument.natural(value)
        guard size >= Self.binaryLimits.lowerBound else { throw CommandError(.argument, "Value too small") }
        binaryLimit = min(size, Self.binaryLimits.upperBound)
    }

    // MARK: Mounts

    func mount(_ arguments: [String]) throws(CommandError) {
        guard !arguments.isEmpty else { return listMounts() }
        throw CommandError(.unknown, "Mounting is not available: add the folder to the settings of the house")
    }

    func refuseUnmount() throws(CommandError) { throw CommandError(.argument, "Not a mount point") }

    func listMounts() { response.add("mount", "") }

    // MARK: Messages between clients of a zone

    private static func check(channel: String) throws(CommandError) {
        let isValid = channel.utf8.allSatisfy { byte in
            byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A
                || [0x2D, 0x2E, 0x3A, 0x5F].contains(byte)
        }
        guard isValid, !channel.isEmpty else { throw CommandError(.argument, "invalid channel name") }
    }

    /// The clients of the zone.
    private var neighbours: [ClientSession] {
        let zone = zone
        return core.clients.filter { $0.inbox.withLock { $0.zone } == zone }
    }

    func subscribe(_ channel: String) throws(CommandError) {
        try Self.check(channel: channel)
        let (isFull, isNew) = inbox.withLock { inbox in
            let isFull = inbox.channels.count >= ClientInbox.channelLimit && !inbox.channels.contains(channel)
            return (isFull, isFull ? false : inbox.channels.insert(channel).inserted)
        }
        if isFull { throw CommandError(.exists, "subscription list is full") }
        guard isNew else { throw CommandError(.exists, "already subscribed to this channel") }
        core.notify(.subscription, of: zone)
    }

    func unsubscribe(_ channel: String) throws(CommandError) {
        guard inbox.withLock({ $0.channels.remove(channel) }) != nil else {
            throw CommandError(.missing, "not subscribed to this channel")
        }
        core.notify(.subscription, of: zone)
    }

    func listChannels() {
        let all = neighbours.reduce(into: Set<String>()) { $0.formUnion($1.inbox.withLock { $0.channels }) }
        for channel in all.sorted() { response.add("channel", channel) }
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

    func readMessages() {
        for message in inbox.withLock({ $0.takeMessages() }) {
            response.add("channel", message.channel)
            response.add("message", message.text)
        }
    }
}
