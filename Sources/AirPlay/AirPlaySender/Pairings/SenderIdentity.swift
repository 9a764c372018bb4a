import TuttiCryptography
import TuttiMediaTime
import TuttiSystemIO

/// Our identity towards speakers: the same on every connection of a run, partly the same in every run.
package struct SenderIdentity: Sendable {
    /// The name that speakers show for their sender.
    package var name: String
    /// The device identifier in the form of a hardware address, `AA:BB:CC:DD:EE:FF`; stable per host.
    package var deviceID: String
    /// The identifier of the group of speakers that play together; new for each group.
    package var groupID: String
    /// The remote-control identifier, 16 hexadecimal digits, by which a speaker finds the program for its
    /// buttons; stable per host, except after ``useOwnRemoteID(machine:)``.
    package var dacpID: String
    /// The token that a speaker sends with remote commands.
    package var activeRemote: UInt32
    /// The lasting pairings with speakers; `nil` for a sender without any. See ``usePairings(_:)``.
    package private(set) var pairings: SpeakerPairings?

    /// The `User-Agent` of every request. Receivers of OS 27 answer 403 to a request without it, or with
    /// another form (*reported*, AirTunes 980.77.2).
    package static let userAgent = "AirPlay/670.6.2"

    /// - Parameters:
    ///   - clock: The identity of our clock, from which the stable parts are derived.
    ///   - machine: Random numbers for the others.
    package init(name: String, clock: ClockIdentity, machine: any Machine = SystemMachine()) {
        self.name = name
        let digits = clock.description.uppercased()
        dacpID = digits
        deviceID = stride(from: 4, to: 16, by: 2).map { position in
            String(digits.dropFirst(position).prefix(2))
        }.joined(separator: ":")
        var random = MachineRandom(machine)
        groupID = random.uuid()
        activeRemote = UInt32.random(in: 1...UInt32.max, using: &random)
    }

    /// Sets the lasting pairings, and the identifiers that paired. Reads their file.
    package mutating func usePairings(_ pairings: SpeakerPairings) {
        self.pairings = pairings
        pairings.refresh()
        guard let identity = pairings.identity else { return }
        (deviceID, dacpID) = (identity.deviceID, identity.dacpID)
    }

    /// Sets a random ``dacpID``, for a program that is not the only sender of its host.
    package mutating func useOwnRemoteID(machine: any Machine) {
        var random = MachineRandom(machine)
        let number = UInt64.random(in: 1...UInt64(Int64.max), using: &random)
        let digits = String(number, radix: 16, uppercase: true)
        dacpID = String(repeating: "0", count: 16 - digits.count) + digits
    }
}
