/// The way of answers to a client. Any thread.
protocol ClientLink: AnyObject, Sendable {
    /// The client's address, for the log.
    var author: String { get }

    /// Sends bytes after those sent before, or keeps them until there is room.
    func send(_ bytes: [UInt8])

    /// Returns when everything sent is on its way; `false` if the client is gone.
    func drained() async -> Bool

    /// Ends the connection.
    func close()
}
