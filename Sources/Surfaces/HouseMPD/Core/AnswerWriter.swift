/// The answers to a client, sent in parts as they grow. A value.
struct AnswerWriter: Sendable {
    /// The size of the parts in which long answers are sent.
    static let partSize = 128 << 10

    /// The tags of songs that the client wants.
    var tags = TagSet.all
    private let client: Client
    /// The bytes that were not sent yet.
    private var response = Response()
    private var hasClosed = false
    private var sentSinceDrain = 0

    init(_ client: Client) { self.client = client }

    /// Whether nothing more can be answered.
    var isClosed: Bool { hasClosed || client.hasEnded }

    /// Whether there is enough for a part.
    var hasPart: Bool { response.count >= Self.partSize }

    // MARK: Sending

    /// Sends what was answered so far; waits for a client that reads slowly.
    mutating func send() async {
        guard !isClosed, response.count > 0 else { return }
        sentSinceDrain += response.count
        client.link.send(response.take())
        guard sentSinceDrain >= Self.partSize else { return }
        sentSinceDrain = 0
        if await !client.link.drained() { hasClosed = true }
    }

    /// Sends a part of a long answer once there is enough of it.
    ///
    /// - Throws: If the client is gone.
    mutating func sendPart() async throws(CommandError) {
        if hasPart { await send() }
        if isClosed { throw CommandError.gone }
    }

    /// Ends the connection when the client has taken the answers before.
    mutating func close() async {
        guard !isClosed else { return }
        hasClosed = true
        client.link.send(response.take())
        _ = await client.link.drained()
        client.link.close()
    }

    // MARK: Lines

    /// Appends a song with the tags that the client wants.
    mutating func add(_ song: Song) { response.add(song, tags) }

    mutating func add(_ name: StaticString, _ value: String) { response.add(name, value) }
    mutating func add(_ name: StaticString, _ value: Int) { response.add(name, value) }
    mutating func add(_ name: StaticString, _ value: Int64) { response.add(name, value) }
    mutating func add(_ name: StaticString, _ value: Bool) { response.add(name, value) }
    mutating func add(_ name: StaticString, seconds: Double) { response.add(name, seconds: seconds) }
    mutating func add(_ name: StaticString, time: Int64) { response.add(name, time: time) }
    mutating func add(line: String) { response.add(line: line) }
    mutating func add(binary part: ArraySlice<UInt8>) { response.add(binary: part) }
}
