/// The kinds of datagrams that a network may pass before others, with the marks that AES67 gives them.
///
/// Home networks read the mark on their wireless part (WMM): the access point and each machine have a queue of their own for marked
/// packets, ahead of that of the rest. Networks that do not know it pass all alike.
package enum TrafficClass: Sendable {
    /// Messages of a clock, which are wrong by as long as they wait.
    case clock
    /// Sound that is heard soon, and what tells when.
    case sound

    /// The byte of the IP header: expedited forwarding, or assured forwarding 41.
    var mark: Int32 {
        switch self {
        case .clock: 46 << 2
        case .sound: 34 << 2
        }
    }

    /// The priority in this machine's own queues, the highest that needs no privilege (`TC_PRIO_INTERACTIVE`).
    static let priority: Int32 = 6
}
