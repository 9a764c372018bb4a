import AirPlayMessages
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// The connections that an opening has made so far, of every kind of session.
struct OpeningConnections {
    let opener: SpeakerOpener
    let request: SessionRequest
    var steps = OpeningStepTimer()
    private(set) var control: ControlChannel?
    private(set) var sockets: RealtimeSockets?
    private(set) var timing: NTPResponder?

    init(opener: SpeakerOpener, request: SessionRequest) { (self.opener, self.request) = (opener, request) }

    var machine: any Machine { opener.machine }

    // MARK: Steps

    /// Reports the step that has ended with this one.
    mutating func enterStep(_ step: OpeningStep.Kind?) {
        steps.enter(step, at: machine.now).map(request.onStep)
    }

    /// Reports the end of the step that is being taken.
    mutating func endStep(_ failure: SpeakerFailure? = nil) {
        steps.end(failure, at: machine.now).map(request.onStep)
    }

    // MARK: Tasks

    /// Opens the control connection.
    ///
    /// - Parameters:
    ///   - headers: Headers of every request.
    ///   - privateHeaders: Headers of every encrypted request.
    mutating func connect(
        to address: SocketAddress, timeout: Duration, headers: [(String, String)],
        privateHeaders: [(String, String)] = []
    ) async -> HandshakeInput {
        do throws(SystemError) {
            let connection = try await connection(to: address, SpeakerOpener.controlOptions, timeout)
            control = ControlChannel(
                connection: connection, headers: headers, privateHeaders: privateHeaders,
                clock: machine)
            return .connected(
                ControlLink(own: connection.localAddress.address, peer: connection.peerAddress.address))
        } catch {
            return .notConnected(error)
        }
    }

    /// Returns a new connection to the speaker.
    func connection(
        to address: SocketAddress, _ options: TCPOptions, _ timeout: Duration
    ) async throws(SystemError) -> TCPConnection {
        try await machine.connect(
            to: address, from: request.target.localAddress, options: options, timeout: timeout)
    }

    func send(_ message: RTSPRequest, timeout: Duration) async -> HandshakeInput {
        guard let control else { return .cancelled }
        do { return .answered(try await control.request(message, timeout: timeout)) } catch {
            return .unanswered(SpeakerFailure(error))
        }
    }

    /// Binds the local ports of a realtime stream.
    mutating func bindPorts(_ link: ControlLink, isTiming: Bool) -> HandshakeInput {
        do throws(SystemError) {
            let sockets = try RealtimeSockets(at: link.own, machine: machine)
            self.sockets = sockets
            if isTiming {
                timing = try NTPResponder(
                    at: link.own, peer: link.peer, machine: machine,
                    networkTime: opener.clock.networkTime(at:))
            }
            return .portsBound(BoundPorts(control: sockets.control.address.port, timing: timing?.port))
        } catch {
            return .portsNotBound("\(error)")
        }
    }

    /// Waits for the program, which is no step.
    mutating func awaitFormat() async -> HandshakeInput {
        endStep()
        return .format(await request.format())
    }

    // MARK: End

    /// Returns what every session has of its control connection.
    func sessionControl(url: String, sessionHeader: String? = nil) throws -> SessionControl {
        guard let control else { throw SpeakerFailure.closed }
        return SessionControl(
            control, url: url, localAddress: request.target.localAddress, timing: opener.timing,
            sessionHeader: sessionHeader, machine: machine)
    }
}
