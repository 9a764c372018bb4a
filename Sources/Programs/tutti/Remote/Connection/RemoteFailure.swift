import TuttiCommandLineInterface

/// The reason why a command for the house was not carried out: one sentence for the user, with what to do.
struct RemoteFailure: Error, Equatable, CustomStringConvertible {
    /// The kinds, each with an exit status.
    enum Kind: Sendable {
        /// A file of this machine cannot be used.
        case failed
        /// The command line is invalid, or does not say clearly what is meant.
        case usage
        /// The command line names something that does not exist.
        case notFound
        /// The house refused.
        case refused
        /// The service does not know this user.
        case noAccess
        /// No service answers.
        case noService
        /// The configuration file is invalid.
        case configuration
    }

    let kind: Kind
    let description: String

    init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

    var status: ExitStatus {
        switch kind {
        case .failed: .failure
        case .usage: .usage
        case .notFound: .notFound
        case .refused: .refused
        case .noAccess: .noAccess
        case .noService: .unavailable
        case .configuration: .configuration
        }
    }

    static let noServiceHere = RemoteFailure(
        .noService,
        "No service runs here. Start it with: tutti serve --music FOLDER, or name one with --host.")

    static let noServiceToAsk = RemoteFailure(
        .noService,
        "No service with these settings runs here. Run the command as the service's user, with the same --config."
    )

    static let noOwnServiceHere = RemoteFailure(
        .noService,
        "No service of this user runs here, and a secret is sent to another user's service only if --host names it."
    )
}
