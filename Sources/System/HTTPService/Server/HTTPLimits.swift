/// The limits of a server, each against one way to make it grow or wait.
public struct HTTPLimits: Hashable, Sendable {
    /// Bytes of the request line and the headers: browsers send up to 8 KiB of cookies.
    public var headerBytes = 16_384
    /// Bytes of a request's body: the longest command has 10,000 numbers.
    public var bodyBytes = 1_048_576
    /// Bytes of the path and query: the longest holds a file's path of 4,096 bytes, each as `%` and two digits.
    public var targetBytes = 12_800
    /// Connections in all: every listener to events, and some for requests. Further ones are closed.
    public var connections = 1_200
    /// Connections of one other machine: bounds its share of the above, and the memory that unfinished
    /// requests hold. A browser opens six.
    public var connectionsPerPeer = 128
    /// Streams of events; further ones get status 503.
    public var eventStreams = 1_024
    /// The time for a whole request, from the connection or from the answer before: ends idle connections
    /// and those that send a byte at a time.
    public var requestPatience = Duration.seconds(30)
    /// The address that takes longer bodies; `nil` for none.
    public var uploads: Uploads?
    /// The time for the handler; then the client gets status 503. Bounds requests in flight.
    public var handlerPatience = Duration.seconds(30)
    /// The time for the client to take an answer: a large picture over a poor radio link takes 20 s.
    public var answerPatience = Duration.seconds(60)
    /// The time between comments on a stream of events: proxies drop connections that are silent for a minute.
    public var keepAlive = Duration.seconds(15)
    /// The time for requests in flight when the server stops.
    public var stopPatience = Duration.milliseconds(700)

    /// Bytes of events that wait for one client: some minutes of changes, or one snapshot of a large house.
    public static let eventBacklog = 262_144
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
    public init() {}

    /// An address whose bodies may be long, and the bounds of the memory that they take.
    public struct Uploads: Hashable, Sendable {
        /// The path, without a query.
        public var path: String
        /// Bytes of a body.
        public var bodyBytes: Int
        /// Uploads at once; a further one has the limits of other requests.
        public var atOnce = 2
        /// Uploads at once of one other machine.
        public var perPeer = 1
        /// The time for a whole request: 32 MiB at 2 Mbit/s.
        public var patience = Duration.seconds(130)

        /// Makes the bounds of an address.
        public init(path: String, bodyBytes: Int) { (self.path, self.bodyBytes) = (path, bodyBytes) }

        /// The bytes with which such a request begins; a space or a question mark follows.
        var beginning: [UInt8] { Array("POST \(path)".utf8) }
    }
}
