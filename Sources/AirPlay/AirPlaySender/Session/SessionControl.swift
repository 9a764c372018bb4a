import AirPlayMessages
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// The requests that every kind of session makes of its speaker, in whatever way its sound goes: volume, text,
/// pictures and signs of life. Any thread.
final class SessionControl: Sendable {
    let channel: ControlChannel
    /// The target of the session's requests.
    let url: String
    /// The local address of new connections.
    private let localAddress: IPAddress?
    private let timing: SenderTiming
    private let machine: any Machine
    /// `Session` of AirPlay 1, which every request repeats.
    private let sessionHeader: String?
    private let slowest = Mutex(Duration.zero)
    private let isEnding = Atomic<Bool>(false)
    private let isReleased = Atomic<Bool>(false)
    private struct EarlyVolume {
        /// A volume that the speaker takes only once it plays.
        var volume: Volume?
        /// Whether the speaker plays, or soon will.
        var isPlaying = false
        /// Whether a task sends the volume again.
        var isTrying = false

        /// Returns whether a task must be started that sends the volume again, which then counts as started.
        mutating func beginTrying() -> Bool {
            guard volume != nil, isPlaying, !isTrying else { return false }
            isTrying = true
            return true
        }
    }

    private let early = Mutex(EarlyVolume())

    init(
        _ channel: ControlChannel, url: String, localAddress: IPAddress?, timing: SenderTiming,
        sessionHeader: String? = nil, machine: any Machine
    ) {
        (self.channel, self.url, self.localAddress) = (channel, url, localAddress)
        (self.timing, self.sessionHeader, self.machine) = (timing, sessionHeader, machine)
    }

    /// See ``SpeakerSession/answerTime``.
    var answerTime: Duration { slowest.withLock { $0 } }

    // MARK: Requests

    /// Sends a request that the speaker must not refuse; `what` names it in the failure.
    func send(_ request: RTSPRequest, timeout: Duration? = nil, to what: String) async throws {
        let response = try await ask(request, timeout: timeout)
        guard response.status.isSuccess else { throw Self.refusal(of: what, response) }
    }

    /// Sends a request, and notes how long the answer took.
    func ask(_ request: RTSPRequest, timeout: Duration? = nil) async throws -> RTSPResponse {
        let asked = machine.now
        let response = try await self.request(request, timeout: timeout ?? timing.answerTimeout)
        let time = machine.now.since(asked)
        slowest.withLock { $0 = max(time, $0 * 3 / 4) }
        return response
    }

    /// Sends a request with a property list that the speaker must not refuse; `what` names it in the failure.
    func send(
        _ method: RTSPMethod, body: [UInt8], timeout: Duration? = nil, to what: String
    ) async throws {
        try await send(propertyList(method, body), timeout: timeout, to: what)
    }

    /// Sends a request with a property list, and notes how long the answer took.
    func ask(_ method: RTSPMethod, body: [UInt8]) async throws -> RTSPResponse {
        try await ask(propertyList(method, body))
    }

    private func propertyList(_ method: RTSPMethod, _ body: [UInt8]) -> RTSPRequest {
        RTSPRequest(method, url, contentType: RateAnchor.contentType, body: body)
    }

    private func request(_ request: RTSPRequest, timeout: Duration) async throws -> RTSPResponse {
        try await channel.request(ofSession(request), timeout: timeout, isVital: false)
    }

    private func ofSession(_ request: RTSPRequest) -> RTSPRequest {
        var request = request
        if let sessionHeader { request.headers["Session"] = sessionHeader }
        return request
    }

    static func refusal(of what: String, _ response: RTSPResponse) -> SpeakerFailure {
        SpeakerFailure(.refused, "the speaker refused to \(what) (status \(response.status))")
    }

    // MARK: Displays and volume

    private var displays: DisplayRequests { DisplayRequests(url: url) }

    func setVolume(_ volume: Volume) async throws {
        let response = try await request(displays.volume(volume), timeout: timing.answerTimeout)
        // Some speakers take no volume before their first sound (*reported*, HomePod).
        let isEarly = response.status == .methodNotValidInThisState
        let isTrying = early.withLock { early in
            early.volume = isEarly ? volume : nil
            return early.beginTrying()
        }
        if isTrying { sendVolumeAgain(Self.volumeTries) }
        guard response.status.isSuccess || isEarly else {
            throw Self.refusal(of: "change the volume", response)
        }
    }

    /// Sets the volume again that was too early, because the speaker plays now or soon: it is asked until it takes the
    /// volume. Does not wait for it.
    func speakerPlays() {
        let isTrying = early.withLock { early in
            early.isPlaying = true
            return early.beginTrying()
        }
        if isTrying { sendVolumeAgain(Self.volumeTries) }
    }

    private func sendVolumeAgain(_ tries: Int) {
        Task {
            for number in 1...tries {
                // Another volume may have been set meanwhile.
                guard let volume = early.withLock({ $0.volume.take() }) else { break }
                do { try await setVolume(volume) } catch {
                    // A refusal ends the attempts: the speaker keeps its volume. A lost answer tells nothing.
                    let isRefused = SpeakerFailure(error).code == .refused
                    early.withLock { $0.volume = $0.volume ?? (isRefused ? nil : volume) }
                    break
                }
                guard number < tries, early.withLock({ $0.volume != nil }) else { break }
                await machine.pause(for: timing.volumeRetry)
            }
            early.withLock { $0.isTrying = false }
        }
    }

    /// The first sound of a realtime stream usually comes up to three seconds after its start. Later each sign of life is one
    /// more attempt: the speaker may have been out of reach meanwhile, or have met its clock late.
    private static let volumeTries = 12

    /// Shows text and artwork.
    ///
    /// - Parameter time: The RTP time of the track's first frame.
    func show(_ update: DisplayUpdate, at time: RTPTime) async throws {
        if let text = update.text { try await show(displays.text(text, at: time)) }
        if let artwork = update.artwork {
            try await show(displays.picture(artwork, at: time), timeout: .seconds(15))
        }
    }

    /// Shows the progress of a track.
    func showProgress(start: RTPTime, current: RTPTime, end: RTPTime) async throws {
        try await show(displays.progress(start: start, current: current, end: end))
    }

    private func show(_ request: RTSPRequest, timeout: Duration? = nil) async throws {
        _ = try await self.request(request, timeout: timeout ?? timing.answerTimeout)
    }

    // MARK: Signs of life

    func feedback() async throws -> RTSPResponse {
        let response = try await ask(RTSPRequest(.post, "/feedback"), timeout: timing.feedbackTimeout)
        if early.withLock({ $0.beginTrying() }) { sendVolumeAgain(1) }
        return response
    }

    /// Returns whether the speaker answers on a new connection. Sends a request, because a middlebox may accept
    /// the connection in the speaker's place.
    func answersAnew() async -> Bool {
        guard
            let connection = try? await machine.connect(
                to: channel.connection.peerAddress, from: localAddress, timeout: timing.reachTimeout)
        else { return false }
        let channel = ControlChannel(
            connection: connection, headers: [("User-Agent", SenderIdentity.userAgent)], clock: machine)
        defer { channel.close() }
        return (try? await channel.request(RTSPRequest(.get, "/info"), timeout: timing.reachTimeout)) != nil
    }

    // MARK: End

    /// Makes a request of the session's ordered end, for which it does not wait long.
    func takeLeave(_ request: RTSPRequest) async throws {
        _ = try await ask(request, timeout: timing.farewellTimeout)
    }

    /// Makes a request with a property list of the session's ordered end.
    func takeLeave(_ method: RTSPMethod, body: [UInt8]) async throws {
        try await takeLeave(propertyList(method, body))
    }

    /// Ends a stream and the session of AirPlay 2.
    func tearDown(_ kind: StreamKind, streamID: Int64?) async throws {
        try await takeLeave(.teardown, body: Teardown.stream(kind, streamID: streamID).body)
        try await takeLeave(sessionTeardown)
    }

    /// The request that ends the session of AirPlay 2.
    var sessionTeardown: RTSPRequest { propertyList(.teardown, Teardown.session.body) }

    /// Makes the last request of a session, without waiting for the answer.
    func leave(with teardown: RTSPRequest, because cause: SpeakerFailure = .closed) {
        channel.close(after: ofSession(teardown), because: cause)
    }

    /// Returns whether the ordered end is to be made: true once.
    func isFirstEnd() -> Bool { !isEnding.exchange(true, ordering: .relaxed) }

    /// Whether the ordered end has begun.
    var isInOrderedEnd: Bool { isEnding.load(ordering: .relaxed) }

    /// Returns whether the session's connections are to be closed: true once.
    func isFirstRelease() -> Bool { !isReleased.exchange(true, ordering: .relaxed) }
}
