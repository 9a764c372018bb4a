import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

/// A group with its store, its clock and the fake receivers it plays to.
struct Stage: Sendable {
    let receivers: [FakeReceiver]
    let store = PacketStore()
    let clock: FakeClock
    let group: SpeakerGroup
    let events = Recorder<[SpeakerGroupEvent]>([])
    /// The instants reported to the started callback.
    let starts = Recorder<[HostTime]>([])
    let format: AudioWireFormat

    /// Timing whose pauses are short enough for tests, and whose limits no passing test reaches: a speaker that answers
    /// late because the machine is busy is not late for the group. A test of a limit sets its own.
    static var timing: SenderTiming {
        var timing = SenderTiming()
        timing.groupAnswerTimeout = .seconds(3600)
        (timing.setupTimeout, timing.answerTimeout) = (.seconds(100), .seconds(100))
        (timing.feedbackTimeout, timing.confirmationLimit) = (.seconds(100), .seconds(100))
        timing.stopLimit = .seconds(100)
        timing.firstPause = .milliseconds(10)
        timing.longestPause = .milliseconds(20)
        timing.anchorRetry = .milliseconds(10)
        timing.volumeRetry = .milliseconds(10)
        timing.farewellTimeout = .seconds(5)
        // Most tests do not involve feedback.
        timing.feedbackInterval = .seconds(3600)
        return timing
    }

    init(
        _ receivers: [FakeReceiver], password: String? = nil, format: AudioWireFormat = .alac44100x16,
        timing: SenderTiming = Stage.timing, clock: FakeClock = FakeClock(), setsFormat: Bool = true,
        override: SessionChoice.Override = SessionChoice.Override()
    ) {
        self.receivers = receivers
        self.format = format
        self.clock = clock
        let targets = receivers.map { receiver in
            var target = receiver.target(password: password)
            target.override = override
            return target
        }
        group = SpeakerGroup(
            targets: targets, store: store,
            identity: SenderIdentity(name: "Stage", clock: clock.identity), clock: clock, timing: timing,
            machine: SystemMachine())
        Task { [group, events] in
            for await event in group.events { events.update { $0.append(event) } }
        }
        if setsFormat { group.setFormat(format) }
    }

    init(_ situation: FakeReceiver.Situation, password: String? = nil) throws {
        self.init([try FakeReceiver(situation)], password: password)
    }

    /// The first receiver.
    var receiver: FakeReceiver { receivers[0] }

    // MARK: Sound

    /// Puts packets into the store; each payload begins with its frame, as 8 bytes.
    func fill(_ count: Int, from frame: Int64 = 0, payloadBytes: Int = 100, mark: UInt8 = 0) {
        for number in 0..<count {
            let frame = frame + Int64(number * format.framesPerPacket)
            Self.payload(frame, byteCount: payloadBytes, mark: mark).withUnsafeBytes {
                store.append(
                    frame: frame, frameCount: format.framesPerPacket, format: format, payload: $0)
            }
        }
    }

    func setSilence() {
        Self.silence.withUnsafeBytes {
            store.setSilence($0, frameCount: format.framesPerPacket, format: format)
        }
    }

    static let silence = [UInt8](repeating: 0xEE, count: 24)

    static func payload(_ frame: Int64, byteCount: Int = 100, mark: UInt8 = 0) -> [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: frame >> Int64(56 - 8 * $0)) }
        bytes += [UInt8](repeating: mark, count: max(1, byteCount - 8))
        return bytes
    }

    func start(at frame: Int64 = 0, host: HostTime? = nil) {
        group.start(at: frame, host: host) { [starts] instant in starts.update { $0.append(instant) } }
    }

    // MARK: Waiting

    func waitForStart(_ number: Int = 1) async throws -> HostTime {
        try await starts.wait(for: "start \(number)") { $0.count >= number ? $0[number - 1] : nil }
    }

    func wait(
        for state: SpeakerState, of receiver: FakeReceiver? = nil, times: Int = 1
    ) async throws {
        let speaker = (receiver ?? self.receiver).target().named
        _ = try await events.wait(for: "\(state) of \(speaker)") { events in
            let count = events.count { event in
                if case .state(speaker: speaker, state) = event { true } else { false }
            }
            return count >= times ? true : nil
        }
    }

    /// Waits until a speaker is lost, and returns the failure.
    func waitForFailure() async throws -> SpeakerFailure {
        try await events.wait(for: "a failure") { events in
            events.lazy.compactMap { event in
                if case .state(_, .lost(let failure)) = event { failure } else { nil }
            }.first
        }
    }

    func waitForWarning(_ code: String) async throws -> String {
        try await events.wait(for: "warning \(code)") { events in
            events.lazy.compactMap { event in
                if case .warning(_, code, let message) = event { message } else { nil }
            }.first
        }
    }
}

extension ReceiverLog.Packet {
    var isSilence: Bool { payload == Stage.silence }
    /// The timeline frame at the start of the payload; `nil` for silence.
    var frame: Int64? {
        isSilence ? nil : payload.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
    var mark: UInt8 { payload.last ?? 0 }
}

extension ReceiverLog.Entry {
    var anchor: Anchor? { (try? RateAnchor(body: request.body))?.anchor }
    var flush: FlushBuffered? { try? FlushBuffered(body: request.body) }
}
