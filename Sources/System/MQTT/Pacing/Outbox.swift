/// The messages that wait to be sent, in their order.
///
/// The latest state of a topic takes the place of an earlier one that still waits; events wait one by one.
struct Outbox: Sendable {
    private struct Entry: Sendable {
        var message: MQTTMessage
        var isState: Bool
    }

    private let limits: MQTTConfiguration.Limits
    private var entries: [Entry] = []
    /// The number of entries taken from the front of ``entries`` that are still in it.
    private var head = 0
    /// The places of states in ``entries``.
    private var places: [String: Int] = [:]
    private(set) var byteCount = 0
    /// The number of messages dropped because of a limit.
    private(set) var droppedCount = 0

    init(_ limits: MQTTConfiguration.Limits) { self.limits = limits }

    /// The number of messages.
    var count: Int { entries.count - head }

    /// Adds a message.
    ///
    /// - Parameter isState: Whether the message replaces an earlier state of its topic that still waits.
    /// - Returns: `false` if a limit drops the message.
    @discardableResult
    mutating func add(_ message: MQTTMessage, isState: Bool) -> Bool {
        let bytes = message.payload.count
        if isState, let place = places[message.topic] {
            let old = entries[place].message.payload.count
            guard byteCount - old + bytes <= limits.waitingBytes else { return drop() }
            byteCount += bytes - old
            entries[place].message = message
            return true
        }
        guard count < limits.waitingMessages, byteCount + bytes <= limits.waitingBytes else { return drop() }
        byteCount += bytes
        if isState { places[message.topic] = entries.count }
        entries.append(Entry(message: message, isState: isState))
        return true
    }

    /// Takes the first message; `nil` if there is none.
    mutating func take() -> MQTTMessage? {
        guard head < entries.count else { return nil }
        let entry = entries[head]
        // Frees the payload.
        entries[head].message.payload = []
        head += 1
        byteCount -= entry.message.payload.count
        if entry.isState { places[entry.message.topic] = nil }
        if head == entries.count {
            (entries, head) = ([], 0)
        } else if head >= 1024, head * 2 >= entries.count {
            compact()
        }
        return entry.message
    }

    /// Removes the events, which are worth nothing later; states stay.
    mutating func removeEvents() {
        entries = entries[head...].filter(\.isState)
        head = 0
        indexStates()
        byteCount = entries.reduce(0) { $0 + $1.message.payload.count }
    }

    /// Removes everything.
    mutating func removeAll() { (entries, head, places, byteCount) = ([], 0, [:], 0) }

    private mutating func compact() {
        entries.removeFirst(head)
        head = 0
        indexStates()
    }

    private mutating func indexStates() {
        places = [:]
        for (place, entry) in entries.enumerated() where entry.isState { places[entry.message.topic] = place }
    }

    private mutating func drop() -> Bool {
        droppedCount += 1
        return false
    }
}
