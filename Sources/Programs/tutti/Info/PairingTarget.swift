import AirPlaySender
import Playback
import TuttiCommandLineInterface
import TuttiSystemIO

/// The arguments that name the speaker of `tutti pair` and `tutti unpair`.
enum PairingTarget {
    static let positional = PositionalDeclaration(
        name: "SPEAKER", help: "Its name or ADDRESS[:PORT]; 'tutti speakers' lists the names")
    static let addressOption = OptionDeclaration.value(
        "address", "IP", .text, "Use the network interface with this address")

    /// Returns the address of the network interface to use; `nil` for the system's choice.
    static func localAddress(_ arguments: ParsedArguments) throws(UsageError) -> IPAddress? {
        guard let text = arguments.value("address") else { return nil }
        guard let address = IPAddress(text) else {
            throw UsageError("--address takes an IP address of this machine, such as 192.168.1.5")
        }
        return address
    }

    /// Finds the speaker on the network.
    ///
    /// - Parameter name: Replaces the first argument.
    static func find(_ arguments: ParsedArguments, named name: String? = nil) async throws -> SpeakerTarget {
        let local = try localAddress(arguments)
        let word = name ?? arguments.positional(0) ?? ""
        let targets = try await RouteCatalogue.shared.targets(for: [word], localAddress: local)
        guard let target = targets.first else { throw UsageError("no speaker is named") }
        return target
    }
}
