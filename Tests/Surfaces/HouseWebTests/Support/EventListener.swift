import Foundation

/// A received event.
struct WebEvent: Sendable, Hashable {
    var id: String?
    var name: String
    var data: String

    /// The number in the id.
    var revision: UInt64? { id?.split(separator: "-").last.flatMap { UInt64($0) } }
}

/// A listener to `/api/v1/events`.
struct EventListener {
    let client: WebClient

    init(port: UInt16, after: String? = nil, headers: [String] = ["Host: localhost"]) throws {
        client = try WebClient(port: port)
        client.send("GET", "/api/v1/events" + (after.map { "?after=\($0)" } ?? ""), headers: headers)
    }

    /// Returns all events up to the first that is wanted.
    func events(until isLast: @escaping @Sendable (WebEvent) -> Bool) async -> [WebEvent] {
        await onThread { [client] in
            var parser = EventParser()
            var events: [WebEvent] = []
            while let bytes = client.receiveSome() {
                let new = parser.append(bytes)
                events += new
                if new.contains(where: isLast) { break }
            }
            return events
        }
    }

    /// Returns whether the stream ends in order.
    func ends() async -> Bool {
        let end = Array("0\r\n\r\n".utf8)
        return await client.receive { $0.suffix(end.count) == end[...] }.suffix(end.count) == end[...]
    }
}

/// The events in a chunked answer, as its bytes come.
struct EventParser {
    private var lines: [String] = []
    private var rest: [UInt8] = []

    /// Takes bytes, cut anywhere; returns the events that are whole now.
    mutating func append(_ bytes: [UInt8]) -> [WebEvent] {
        rest += bytes
        guard let end = rest.lastIndex(of: 0x0A) else { return [] }
        let text = String(decoding: rest[...end], as: UTF8.self).replacing("\r\n", with: "\n")
        rest.removeSubrange(...end)
        var events: [WebEvent] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            // The head, the sizes of chunks and comments are no fields of events.
            if line.hasPrefix("id: ") || line.hasPrefix("event: ") || line.hasPrefix("data: ") {
                lines.append(String(line))
            } else if line.isEmpty, !lines.isEmpty {
                events.append(Self.event(of: lines))
                lines = []
            }
        }
        return events
    }

    private static func event(of lines: [String]) -> WebEvent {
        var event = WebEvent(name: "", data: "")
        for line in lines {
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") { event.data += line.dropFirst(6) }
        }
        return event
    }
}
