/// An event of the service.
struct ServiceEvent: Equatable, Sendable {
    /// The kind, such as `zone`.
    var name: String
    /// The word after which a listener that comes back resumes; `nil` if it cannot.
    var id: String?
    /// JSON.
    var data: String
}

/// A `text/event-stream` read piece by piece (HTML standard, "Server-sent events"). A value.
struct EventReader {
    /// An event that is too long.
    struct Overlong: Error {}

    /// The most bytes of an event: a house of a hundred rooms has a hundredth of the usual limit.
    let limit: Int

    private var line: [UInt8] = []
    private var name = ""
    private var id: String?
    private var data: [UInt8] = []

    init(limit: Int = 8 << 20) { self.limit = limit }

    /// Takes bytes cut anywhere, and returns the events that they complete.
    mutating func receive(_ bytes: [UInt8]) throws -> [ServiceEvent] {
        var events: [ServiceEvent] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            line += rest[..<end]
            rest = rest[(end + 1)...]
            if line.last == 0x0D { line.removeLast() }
            if let event = endLine() { events.append(event) }
            line.removeAll(keepingCapacity: true)
            guard data.count <= limit else { throw Overlong() }
        }
        line += rest
        guard line.count <= limit else { throw Overlong() }
        return events
    }

    private mutating func endLine() -> ServiceEvent? {
        guard !line.isEmpty else { return endEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "id": id = String(decoding: value, as: UTF8.self)
        case "data":
            if !data.isEmpty { data.append(0x0A) }
            data += value
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> ServiceEvent? {
        defer { (name, id, data) = ("", nil, []) }
        guard !name.isEmpty else { return nil }
        return ServiceEvent(name: name, id: id, data: String(decoding: data, as: UTF8.self))
    }
}
