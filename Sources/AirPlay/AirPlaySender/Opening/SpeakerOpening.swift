import TuttiMediaTime
import TuttiSystemIO

/// The handshake of one session, a value: results go in, tasks come out.
protocol SpeakerHandshake: Sendable {
    associatedtype Output: Sendable

    /// The step that is being taken; `nil` while the program is waited for, and at the end.
    var step: OpeningStep.Kind? { get }

    /// Begins. Called once.
    mutating func begin()
    /// Returns the next task; `nil` if there is none for now.
    mutating func nextOutput() -> Output?
    /// Takes one result or answer, at this host time.
    mutating func receive(_ input: HandshakeInput, at now: HostTime)
}

/// The opening of a session under way: carries out what a handshake says, and waits.
protocol SpeakerOpening {
    associatedtype Handshake: SpeakerHandshake
    /// The result of the opening.
    associatedtype Opened

    var connections: OpeningConnections { get set }

    /// Carries out one task.
    ///
    /// - Throws: ``SpeakerFailure`` when the opening has failed; all connections are closed then.
    mutating func perform(_ output: Handshake.Output) async throws -> PerformedTask<Opened>
}

/// The outcome of one task of a handshake.
enum PerformedTask<Opened> {
    /// The handshake does not wait for a result.
    case done
    case result(HandshakeInput)
    /// The task was the last one.
    case opened(Opened)
}

extension SpeakerOpening {
    /// Runs a handshake to its end.
    mutating func run(_ begun: Handshake) async throws -> Opened {
        var handshake = begun
        handshake.begin()
        connections.steps.begin(handshake.step, at: connections.machine.now)
        while let output = handshake.nextOutput() {
            switch try await perform(output) {
            case .done: break
            case .opened(let opened): return opened
            case .result(let input):
                handshake.receive(input, at: connections.machine.now)
                connections.enterStep(handshake.step)
            }
        }
        preconditionFailure("a handshake waits for one result at a time, and ends with one")
    }
}
