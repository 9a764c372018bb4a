import TuttiSystemIO

/// The one-way delay to a speaker, from the round trips of its control connection.
///
/// The served clock adds the delay to its times for a speaker that does not measure it, so an error of the delay is the error of
/// the room, in every kind of stream with PTP.
enum PathDelay {
    /// The longest round trip of the TCP handshake that counts. If a packet is lost there, the kernel measures the second until the next
    /// attempt, too (*observed*: at 5 % loss the clock was served 0.51 s too far ahead, and shairport-sync played that much too early).
    static let longestHandshake = Duration.milliseconds(100)

    /// Returns the delay to serve once the speaker has described itself, of which the TCP handshake may be the only measurement: zero
    /// if that is not to be believed. A delay that grows later is followed sooner by nqptp than one that shrinks (*observed*).
    static func early(_ roundTrip: TCPRoundTrip?) -> Duration {
        guard let roundTrip, roundTrip.minimum <= longestHandshake else { return .zero }
        return roundTrip.minimum / 2
    }

    /// Returns the delay after some requests, each of which is a measurement; `nil` if there is none.
    static func measured(_ roundTrip: TCPRoundTrip?) -> Duration? { roundTrip.map { $0.minimum / 2 } }
}
