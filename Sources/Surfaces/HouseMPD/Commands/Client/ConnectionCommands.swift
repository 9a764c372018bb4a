/// The connection itself: waiting, and the tags that the client wants.
struct ConnectionCommands: Sendable {
    let client: Client

    func idle(_ names: [String], _ answer: inout AnswerWriter) async throws(CommandError) {
        var events: IdleEvents = names.isEmpty ? .all : []
        for name in names { events.formUnion(try IdleEvents(name: name)) }
        // Answers before it come first.
        await answer.send()
        client.wait(for: events)
    }

    func tagTypes(_ arguments: [String], _ answer: inout AnswerWriter) throws(CommandError) {
        guard let action = arguments.first else {
            for tag in Tag.allCases where answer.tags.contains(tag) { answer.add("tagtype", "\(tag.name)") }
            return
        }
        switch action {
        case "all": answer.tags = .all
        case "clear": answer.tags = []
        case "enable": answer.tags.formUnion(try Self.tags(arguments.dropFirst()))
        case "disable": answer.tags.subtract(try Self.tags(arguments.dropFirst()))
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
}
