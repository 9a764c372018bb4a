/// The limits of a server, each against one way to make it grow or wait.
package struct HTTPLimits: Hashable, Sendable {
    /// Bytes of the request line and the headers: browsers send up to 8 KiB of cookies.
    package var headerBytes = 16_384
    /// Bytes of a request's body: the longest command has 10,000 numbers.
    package var bodyBytes = 1_048_576
    /// Bytes of the path and query: the longest holds a file's path of 4,096 bytes, each as `%` and two digits.
    package var targetBytes = 12_800
    /// Connections in all: every listener to events, and some for requests. Further ones are closed.
    package var connections = 1_200
    /// Connections of one other machine: bounds its share of the above, and the memory that unfinished
    /// requests hold. A browser opens six.
    package var connectionsPerPeer = 128
    /// Streams of events; further ones get status 503.
    package var eventStreams = 1_024
    /// The time for a whole request, from the connection or from the answer before: ends idle connections
    /// and those that send a byte at a time.
    package var requestPatience = Duration.seconds(30)
    /// The address that takes longer bodies; `nil` for none.
    package var uploads: Uploads?
    /// The time for the handler; then the client gets status 503. Bounds requests in flight.
    package var handlerPatience = Duration.seconds(30)
    /// The time for the client to take an answer: a large picture over a poor radio link takes 20 s.
    package var answerPatience = Duration.seconds(60)
    /// The time between comments on a stream of events: proxies drop connections that are silent for a minute.
    package var keepAlive = Duration.seconds(15)
    /// The time for requests in flight when the server stops.
    package var stopPatience = Duration.milliseconds(700)

    /// Bytes of events that wait for one client: some minutes of changes, or one snapshot of a large house.
    package static let eventBacklog = 262_144
    /// Bytes of events that are copied for one client at a time; the rest of its backlog is shared by all.
    static let eventWrite = 16_384
    /// Bytes kept of what a listener to events sends.
    static let listenerReadBytes = 4_096
    /// Bytes in the kernel's send buffer of a stream: the default grows to megabytes a client.
    static let streamSendBuffer: Int32 = 65_536
    /// Connections that the kernel queues while the thread is busy; the kernel's own limit is lower or equal.
    static let listenBacklog: Int32 = 1_024
    /// Bytes read ahead from one connection: a whole body with its headers and chunk lengths. evhttp keeps a
    /// body in this buffer until it is complete.
    var readAheadBytes: Int { headerBytes + bodyBytes + 65_536 }

    /// Makes the usual limits.
    package init() {}

    /// An address whose bodies may be long, and the bounds of the memory that they take.
    package struct Uploads: Hashable, Sendable {
        /// The path, without a query.
        package var path: String
        /// Bytes of a body.
        package var bodyBytes: Int
        /// Uploads at once; a further one has the limits of other requests.
        package var atOnce = 2
        /// Uploads at once of one other machine.
        package var perPeer = 1
        /// The time for a whole request: 32 MiB at 2 Mbit/s.
        package var patience = Duration.seconds(130)

        /// Makes the bounds of an address.
        package init(path: String, bodyBytes: Int) { (self.path, self.bodyBytes) = (path, bodyBytes) }

        /// The bytes with which such a request begins; a space or a question mark follows.
        var beginning: [UInt8] { Array("POST \(path)".utf8) }
    }
}
