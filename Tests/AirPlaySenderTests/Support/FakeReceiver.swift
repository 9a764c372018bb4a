import AirPlayMessages
import Cryptography
import HomeKitPairing
import MediaTime
import RTP
import RTSP
import Synchronization
import SystemIO

@testable import AirPlaySender

/// A receiver of buffered sound that plays nothing: it answers as a speaker does, over loopback TCP,
/// and records what it is asked and sent.
final class FakeReceiver: Sendable {
    /// How it behaves; may be changed while it runs.
    struct Situation: Sendable {
        var model = "ShairportSync"
        var password: String?
        /// Whether `/info` says that a password is needed.
        var showsPassword = true
        var pairingError: PairingError?
        var hasEventPort = true
        var hasDataPort = true
        /// How many anchors it still refuses with 400.
        var anchorRefusals = 0
        /// How many flushes it still refuses with 500.
        var flushRefusals = 0
        var readsAudio = true
        /// Closes the control connection, once, behind the answer to this.
        var closesAfter: Step?
        /// Closes the control connection, once, instead of answering this.
        var closesInsteadOf: Step?
        var setupStatus = RTSPStatus.ok
        /// `nil`: names none.
        var bufferBytes: Int? = 8 << 20
        var answersWithGarbage = false
        /// Requests that get no answer until ``FakeReceiver/release(_:)``.
        var held: Set<Step> = []

        static let standard = Situation()
        static func rejectsPairing(_ error: PairingError) -> Situation {
            with { $0.pairingError = error }
        }
        static func needsPassword(_ password: String) -> Situation { with { $0.password = password } }
        static let noEventPort = with { $0.hasEventPort = false }
        static let noDataPort = with { $0.hasDataPort = false }
        static func refusesAnchor(times: Int) -> Situation { with { $0.anchorRefusals = times } }
        static func refusesFlush(times: Int) -> Situation { with { $0.flushRefusals = times } }
        static let stallsAfterSetup = with { $0.readsAudio = false }
        static func closesAfter(_ step: Step) -> Situation { with { $0.closesAfter = step } }
        static func closesInsteadOf(_ step: Step) -> Situation { with { $0.closesInsteadOf = step } }
        static let busy453 = with { $0.setupStatus = .notEnoughBandwidth }
        static func smallBuffer(_ bytes: Int) -> Situation { with { $0.bufferBytes = bytes } }
        static let answersWithGarbage = with { $0.answersWithGarbage = true }
        static func holds(_ step: Step) -> Situation { with { $0.held = [step] } }
        /// A receiver that keeps up with any pace, so that the sender sends at line speed.
        static let fast = with { $0.model = "Tutti1,1" }

        private static func with(_ change: (inout Situation) -> Void) -> Situation {
            var situation = Situation()
            change(&situation)
            return situation
        }
    }

    let name: String
    let address: SocketAddress
    let log = Recorder(ReceiverLog())
    private let situation: Mutex<Situation>
    private let listener: TCPListener
    private let controls = Mutex<[FakeControl]>([])

    /// - Parameter host: Each speaker of a group has an address of its own, 127.0.0.1, 127.0.0.2, …
    init(_ situation: Situation = .standard, name: String = "Kitchen", host: UInt8 = 1) throws {
        self.name = name
        self.situation = Mutex(situation)
        listener = try TCPListener(at: SocketAddress(IPAddress(127, 0, 0, host), port: 0))
        address = listener.address
        listener.start { [weak self] connection in
            guard let self else { return connection.close() }
            let number = self.log.update { log in
                log.controlConnections += 1
                return log.controlConnections
            }
            let control = FakeControl(connection, number: number, receiver: self)
            self.controls.withLock { $0.append(control) }
            control.start()
        }
    }

    deinit { listener.close() }

    func target(password: String? = nil) -> SpeakerTarget {
        SpeakerTarget(name: name, addresses: [address], password: password)
    }

    /// Answers what was held back, and from now on at once.
    func release(_ step: Step) {
        change { $0.held.remove(step) }
        for control in controls.withLock({ $0 }) { control.release(step) }
    }

    func change(_ body: (inout Situation) -> Void) { situation.withLock { body(&$0) } }

    /// What the situation is, after `body` has used a part of it up.
    func use<Result: Sendable>(_ body: (inout Situation) -> Result) -> Result {
        situation.withLock { body(&$0) }
    }

    /// Sends a command on the newest event connection.
    func press(_ command: EventCommand) { controls.withLock { $0.last }?.press(command) }

    /// Reads the sound that a stalled receiver has left in its socket.
    func readAudio() {
        for control in controls.withLock({ $0 }) { control.readAudio() }
    }

    /// Cuts the newest control connection.
    func drop() { controls.withLock { $0.last }?.drop() }

    func wait(
        for step: Step, times: Int = 1, limit: Duration = .seconds(20)
    ) async throws -> ReceiverLog.Entry {
        try await log.wait(for: "\(step.rawValue) number \(times)", limit: limit) { log in
            let entries = log.entries(step)
            return entries.count >= times ? entries[times - 1] : nil
        }
    }

    /// Waits until so many packets are there; gives all that are.
    func waitForPackets(_ count: Int) async throws -> [ReceiverLog.Packet] {
        try await log.wait(for: "\(count) packets") { $0.packets.count >= count ? $0.packets : nil }
    }

    var info: ReceiverInfo {
        let situation = situation.withLock { $0 }
        let asks = situation.password != nil && situation.showsPassword
        return ReceiverInfo(
            name: name, model: situation.model, deviceID: "02:00:00:00:00:01",
            features: [.audio, .bufferedAudio, .ptp, .transientPairing, .homeKitPairing],
            statusFlags: asks ? [.passwordRequired] : [], sourceVersion: "366.0",
            publicKey: Array(0..<32),
            bufferedFormats: [AudioWireFormat.alac44100x16.mask, AudioWireFormat.aac44100.mask],
            realtimeFormats: [])
    }
}
