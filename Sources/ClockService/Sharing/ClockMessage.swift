import MediaTime
import SystemIO
import Wire

/// A message between two programs that share a clock.
///
/// One message is one packet of a local connection: a byte that names its kind, then fields of fixed widths, big-endian.
///
///     program -> server   hello, then wishes
///     server -> program   welcome or refusal, then datagrams, questions and beats
///
/// The first seven bytes of ``hello(_:)``, ``welcome(_:)`` and ``refusal(_:)`` never change: kind, `TClk`, version.
/// A program of another version is told so and gets nothing else.
enum ClockMessage: Hashable, Sendable {
    /// Changes with every change of a message.
    static let version: UInt16 = 1
    static let magic: UInt32 = 0x5443_6C6B
    static let longestDatagram = UDPSocket.longestDatagram
    /// Sockets that a welcome carries at most.
    static let mostSockets = 60

    /// Begins a connection.
    struct Hello: Hashable, Sendable {
        /// Of a program that takes the clock as it is.
        static let anyIdentity = ClockIdentity(rawValue: 0)

        var version = ClockMessage.version
        var identity: ClockIdentity
    }

    /// Lets a program in. The packet carries the sockets, event and general by turns, then listener and lease.
    struct Welcome: Hashable, Sendable {
        var identity: ClockIdentity
        /// The host time of the program that serves, read while the other one waits.
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

    /// A datagram that the server has received from an address that concerns the program.
    struct Received: Hashable, Sendable {
        var source: IPAddress
        var port: ClockPort
        var receivedAt: HostTime
        var bytes: [UInt8]
    }

    case hello(Hello)
    case welcome(Welcome)
    case refusal(Refusal)
    case wish(ClockWish)
    case received(Received)
    /// A Delay_Req has left to a followed address.
    case asked(IPAddress, sequence: UInt16, at: HostTime)
    /// The server lives.
    case beat
}

/// Why bytes are no message between programs.
enum ClockMessageError: Error, Equatable, Sendable {
    case malformed(WireError)
    case notAClock
    case unknownKind(UInt8)
    /// A field has a value that no program writes.
    case outOfRange(field: String)
    case tooLong
}
