import TuttiMediaTime
import TuttiSystemIO
import TuttiWire

/// A message between two programs that share a clock.
///
/// A message is one packet of a local connection: a byte for its kind, then fields of fixed widths, big-endian.
///
///     program -> server   hello, then commands
///     server -> program   welcome or refusal, then datagrams, sent requests and beats
///
/// The first seven bytes of ``hello(_:)``, ``welcome(_:)`` and ``refusal(_:)`` never change: kind, `TClk`,
/// version. A program of another version gets a refusal and nothing else.
enum ClockMessage: Hashable, Sendable {
    /// The protocol version; increment it with every change of a message.
    static let version: UInt16 = 2
    static let magic: UInt32 = 0x5443_6C6B
    static let longestDatagram = UDPSocket.longestDatagram
    /// The greatest number of sockets in a welcome.
    static let mostSockets = 60

    /// The first message of a connection.
    struct Hello: Hashable, Sendable {
        /// The identity that a program sends to adopt the clock's own.
        static let anyIdentity = ClockIdentity(rawValue: 0)

        var version = ClockMessage.version
        var identity: ClockIdentity
    }

    /// The admission of a program. The packet carries the sockets, event and general alternating, listener and lease.
    struct Welcome: Hashable, Sendable {
        var identity: ClockIdentity
        /// The host time of the serving program, read while the other program waits.
        var reading: HostTime
        var term: Int64
        var socketCount: UInt8
        var stampsDepartures = true
    }

    enum Refusal: Hashable, Sendable {
        case otherVersion(UInt16)
        case otherIdentity(ClockIdentity)
        case tooManyPrograms
    }

    /// A datagram that the server has received from an address that the program serves or follows.
    struct Received: Hashable, Sendable {
        var source: IPAddress
        var port: ClockPort
        var receivedAt: HostTime
        var bytes: [UInt8]
    }

    case hello(Hello)
    case welcome(Welcome)
    case refusal(Refusal)
    case command(ClockCommand)
    case received(Received)
    /// A Delay_Req has left for a followed address.
    case asked(IPAddress, sequence: UInt16, at: HostTime)
    /// The server is alive.
    case beat
}

/// An error in the bytes of a message between programs.
enum ClockMessageError: Error, Equatable, Sendable {
    case malformed(WireError)
    case notAClock
    case unknownKind(UInt8)
    /// A field has a value that no program writes.
    case outOfRange(field: String)
    case tooLong
}
