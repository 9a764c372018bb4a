import Synchronization
import TuttiHouse

/// One client: bytes in, bytes out. Its owner hands it one piece of bytes at a time.
actor ClientSession {
    /// The version of the protocol whose commands are answered.
    static let greeting = "OK MPD 0.23.5\n"
    /// The size of the parts in which long answers are sent.
    static let partSize = 128 << 10

    nonisolated let core: ServerCore
    nonisolated let link: any ClientLink
    nonisolated let inbox: Mutex<ClientInbox>

    private var reader = RequestReader()
    private var list: CommandList?
    private var hasClosed = false
    /// Whether the connection has ended.
    private nonisolated let hasEnded = Atomic(false)
    /// The position of the running command in its list.
    private var index = 0
    private var sentSinceDrain = 0

    var response = Response()
    var tags = TagSet.all
    var binaryLimit = 8192
    var isTrusted: Bool
    /// The last picture that the client requested; clients read a picture in parts.
    var picture: (id: String, bytes: [UInt8], type: String)?

    init(_ core: ServerCore, _ link: any ClientLink) {
        (self.core, self.link) = (core, link)
        isTrusted = core.password == nil
        inbox = Mutex(ClientInbox(zone: core.firstZone))
    }

    /// Whether nothing more can be answered.
    private var isClosed: Bool { hasClosed || hasEnded.load(ordering: .relaxed) }

    /// Returns whether the client still waits for an answer. Any thread.
    nonisolated var isWanted: @Sendable () -> Bool {
        { [weak self] in self.map { !$0.hasEnded.load(ordering: .relaxed) } ?? false }
    }

    /// Notes the end of the connection: the running command ends soon. Any thread.
    nonisolated func linkDidEnd() { hasEnded.store(true, ordering: .relaxed) }

    // MARK: Events

    /// Reports events to the client, at once if it waits for them. Any thread.
    nonisolated func notify(_ events: IdleEvents) {
        guard let found = inbox.withLock({ $0.add(events) }) else { return }
        link.send(Self.idleAnswer(found))
    }

    static func idleAnswer(_ events: IdleEvents) -> [UInt8] {
        Array((events.names.map { "changed: \($0)\n" }.joined() + "OK\n").utf8)
    }

    // MARK: Bytes

    /// Takes bytes of the client, and returns when their commands are answered.
    func receive(_ bytes: [UInt8]) async {
        reader.append(bytes)
        do throws(RequestReader.Overlong) {
            while !isClosed, let line = try reader.next() { await handle(line) }
        } catch {
            await close()
        }
        await send()
    }

    /// Ends the connection when the client has taken the answers before.
    func close() async {
        guard !isClosed else { return }
        hasClosed = true
        link.send(response.take())
        _ = await link.drained()
        link.close()
    }

    /// Sends what was answered so far; waits for a client that reads slowly.
    ///
    /// Long answers call this between their parts.
    func send() async {
        guard !isClosed, response.count > 0 else { return }
        sentSinceDrain += response.count
        link.send(response.take())
        guard sentSinceDrain >= Self.partSize else { return }
        sentSinceDrain = 0
        if await !link.drained() { hasClosed = true }
    }

    /// Sends a part of a long answer once there is enough of it.
    ///
    /// - Throws: if the client is gone.
    func sendPart() async throws(CommandError) {
        if response.count >= Self.partSize { await send() }
        if isClosed { throw CommandError.gone }
    }

    // MARK: Lines

    private func handle(_ line: [UInt8]) async {
        if line == Array("noidle".utf8) {
            // Not answered if an event was sent just before: the wait has ended already.
            if inbox.withLock({ $0.endWait() }) { response.add(line: "OK") }
            return
        }
        // A waiting client may send nothing else, and commands begin with a small letter: anything else comes from a
        // browser.
        guard !inbox.withLock({ $0.isIdle }), let first = line.first, first >= 0x61, first <= 0x7A else {
            return await close()
        }
        if list != nil { return await collect(line) }
        switch String(decoding: line.prefix(32), as: UTF8.self) {
        case "command_list_begin": list = CommandList(isAcknowledged: false)
        case "command_list_ok_begin": list = CommandList(isAcknowledged: true)
        default:
            index = 0
            if await run(line) { response.add(line: "OK") }
            if response.count >= Self.partSize { await send() }
        }
    }

    private func collect(_ line: [UInt8]) async {
        guard line == Array("command_list_end".utf8) else {
            if list?.append(line) == false { await close() }
            return
        }
        guard let list = list.take() else { return }
        var place = 0
        while place < list.count, !isClosed {
            index = place
            if let done = await runAdditions(list, from: place) {
                place += done
                continue
            }
            guard await run(list[place]) else { return }
            if list.isAcknowledged { response.add(line: "list_OK") }
            await send(beyond: Self.partSize)
            place += 1
        }
        if !isClosed { response.add(line: "OK") }
    }

    private func send(beyond size: Int) async { if response.count >= size { await send() } }

    /// Carries out one command; returns whether it succeeded and has an answer.
    private func run(_ line: [UInt8]) async -> Bool {
        var name = ""
        do throws(CommandError) {
            let request = try Request(line)
            guard let command = CommandTable.commands[request.name] else {
                throw CommandError(.unknown, "unknown command \"\(request.name)\"")
            }
            name = request.name
            guard isTrusted || command.isOpen else {
                throw CommandError(.permission, "you don't have permission for \"\(name)\"")
            }
            try command.check(request)
            do { return try await command.run(self, request.arguments) == .done } catch {
                throw error as? CommandError ?? CommandError(.system, "\(error)")
            }
        } catch {
            if !isClosed { response.add(line: error.line(index: index, command: name)) }
            return false
        }
    }

    /// Carries out a run of plain `add` and `addid` commands at once: a long queue is not changed song by
    /// song.
    ///
    /// - Returns: the number of commands; `nil` if there is no such run, or the house refuses it: each command then
    ///   answers for itself.
    private func runAdditions(_ list: CommandList, from start: Int) async -> Int? {
        guard isTrusted, let additions = await additions(list, from: start), additions.count > 1 else {
            return nil
        }
        let items = additions.map(\.item)
        guard let entries = try? await perform(.add(zone, items, .end)).entries,
            entries.count == items.count
        else { return nil }
        for (addition, entry) in zip(additions, entries) {
            if addition.wantsID { response.add("Id", entry.rawValue) }
            if list.isAcknowledged { response.add(line: "list_OK") }
        }
        return additions.count
    }
}
