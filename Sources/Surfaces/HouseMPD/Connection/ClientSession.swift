/// One client: bytes in, bytes out. Its owner hands it one piece of bytes at a time.
actor ClientSession {
    /// The version of the protocol whose commands are answered.
    static let greeting = "OK MPD 0.23.5\n"

    nonisolated let client: Client

    private var reader = RequestReader()
    private var list: CommandList?
    /// `nil` while bytes are handled: commands change the groups, and an actor lends nothing of its own.
    private var groups: CommandGroups?

    init(_ core: ServerCore, _ link: any ClientLink) {
        let client = Client(link, zone: core.firstZone)
        self.client = client
        groups = CommandGroups(core, client)
    }

    // MARK: Bytes

    /// Takes bytes of the client, and returns when their commands are answered.
    func receive(_ bytes: [UInt8]) async {
        reader.append(bytes)
        guard var groups = groups.take() else { return }
        do throws(RequestReader.Overlong) {
            while !groups.answer.isClosed, let line = try reader.next() { await handle(line, &groups) }
        } catch {
            await groups.answer.close()
        }
        await groups.answer.send()
        self.groups = groups
    }

    // MARK: Lines

    private func handle(_ line: [UInt8], _ groups: inout CommandGroups) async {
        if line == Array("noidle".utf8) {
            // Not answered if an event was sent just before: the wait has ended already.
            if client.inbox.withLock({ $0.endWait() }) { groups.answer.add(line: "OK") }
            return
        }
        // A waiting client may send nothing else, and commands begin with a small letter: anything else comes from a
        // browser.
        guard !client.inbox.withLock({ $0.isIdle }), let first = line.first, first >= 0x61, first <= 0x7A
        else {
            return await groups.answer.close()
        }
        if list != nil { return await collect(line, &groups) }
        switch String(decoding: line.prefix(32), as: UTF8.self) {
        case "command_list_begin": list = CommandList(isAcknowledged: false)
        case "command_list_ok_begin": list = CommandList(isAcknowledged: true)
        default:
            if await run(line, at: 0, &groups) { groups.answer.add(line: "OK") }
            if groups.answer.hasPart { await groups.answer.send() }
        }
    }

    private func collect(_ line: [UInt8], _ groups: inout CommandGroups) async {
        guard line == Array("command_list_end".utf8) else {
            if list?.append(line) == false { await groups.answer.close() }
            return
        }
        guard let list = list.take() else { return }
        var place = 0
        while place < list.count, !groups.answer.isClosed {
            if groups.permission.isTrusted,
                let done = await groups.edits.addRun(of: list, from: place, &groups.answer)
            {
                place += done
                continue
            }
            guard await run(list[place], at: place, &groups) else { return }
            if list.isAcknowledged { groups.answer.add(line: "list_OK") }
            if groups.answer.hasPart { await groups.answer.send() }
            place += 1
        }
        if !groups.answer.isClosed { groups.answer.add(line: "OK") }
    }

    /// Carries out one command; returns whether it succeeded and has an answer.
    ///
    /// - Parameter index: The place of the command in its list, from 0.
    private func run(_ line: [UInt8], at index: Int, _ groups: inout CommandGroups) async -> Bool {
        var name = ""
        do throws(CommandError) {
            let request = try Request(line)
            guard let command = CommandTable.commands[request.name] else {
                throw CommandError(.unknown, "unknown command \"\(request.name)\"")
            }
            name = request.name
            guard groups.permission.isTrusted || command.isOpen else {
                throw CommandError(.permission, "you don't have permission for \"\(name)\"")
            }
            try command.check(request)
            do { return try await command.run(&groups, request.arguments) == .done } catch {
                throw error as? CommandError ?? CommandError(.system, "\(error)")
            }
        } catch {
            if !groups.answer.isClosed {
                groups.answer.add(line: error.line(index: index, command: name))
            }
            return false
        }
    }
}
