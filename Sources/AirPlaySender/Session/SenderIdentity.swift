import Cryptography
import Foundation
import MediaTime

/// Who we are to a speaker: the same on every connection of one run, and where it matters on every run.
public struct SenderIdentity: Sendable {
    /// Shown by speakers that show their sender.
    public var name: String
    /// Hardware-address form, `AA:BB:CC:DD:EE:FF`; stable per host.
    public var deviceID: String
    /// Of the group of speakers that play together; new for each group.
    public var groupID: String
    /// 16 hexadecimal digits, by which a speaker finds the program for its buttons; stable per host, but for
    /// ``useOwnRemoteID()``.
    public var dacpID: String
    /// Token a speaker hands back with remote commands.
    public var activeRemote: UInt32

    /// `User-Agent` of every request. Receivers of OS 27 answer 403 to a request without it, or with
    /// another form (*reported*, AirTunes 980.77.2).
    public static let userAgent = "AirPlay/670.6.2"

    /// - Parameter clock: the identity of our clock, from which the stable parts are derived.
    public init(name: String, clock: ClockIdentity) {
        self.name = name
        let digits = clock.description.uppercased()
        dacpID = digits
        deviceID = stride(from: 4, to: 16, by: 2).map { position in
            String(digits.dropFirst(position).prefix(2))
        }.joined(separator: ":")
        groupID = UUID().uuidString
        activeRemote = UInt32.random(in: 1...UInt32.max)
    }

    /// Takes a random ``dacpID``, for a program that is not the only sender of its host.
    public mutating func useOwnRemoteID() {
        let digits = String(UInt64.random(in: 1...UInt64(Int64.max)), radix: 16, uppercase: true)
        dacpID = String(repeating: "0", count: 16 - digits.count) + digits
    }
}
