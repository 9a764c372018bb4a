import AirPlayMessages
import HomeKitPairing
import RTSP
import Synchronization
import TestSupport

@testable import AirPlaySender

/// What a fake receiver and all its connections share.
final class ReceiverState: Sendable {
    /// How it behaves; may be changed while it runs.
    struct Situation: Sendable {
        var model = "ShairportSync"
        var password: String?
        /// Whether `/info` says that a password is needed.
        var showsPassword = true
        var pairingError: PairingError?
        /// How many attempts to pair it still refuses so.
        var pairingRefusals = Int.max
        /// Whether it has no time to pair, and names the seconds.
        var pairsInSeconds: Int?
        var hasEventPort = true
        var hasDataPort = true
        /// How many anchors it still refuses with 400.
        var anchorRefusals = 0
        /// How many anchors that need their beginning still come too late, by 30 ms.
        var lateStarts = 0
        /// How many flushes it still refuses with 500.
        var flushRefusals = 0
        /// The same for deferred ones.
        var cutRefusals = 0
        var readsAudio = true
        /// How many answers to feedback still say that no packet was read; `nil`: they say nothing.
        var unreadFeedbacks: Int?
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
        static func rejectsPairing(_ error: PairingError, times: Int = .max) -> Situation {
            with { ($0.pairingError, $0.pairingRefusals) = (error, times) }
        }
        static func needsPassword(_ password: String) -> Situation { with { $0.password = password } }
        static let noEventPort = with { $0.hasEventPort = false }
        static let noDataPort = with { $0.hasDataPort = false }
        static func refusesAnchor(times: Int) -> Situation { with { $0.anchorRefusals = times } }
        static func missesBeginnings(times: Int) -> Situation {
            with { ($0.model, $0.lateStarts) = ("Tutti1,1", times) }
        }
        static func refusesFlush(times: Int) -> Situation { with { $0.flushRefusals = times } }
        static func refusesCut(times: Int) -> Situation { with { $0.cutRefusals = times } }
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
    let log = Recorder(ReceiverLog())
    private let situation: Mutex<Situation>

    init(_ situation: Situation, name: String) {
        self.name = name
        self.situation = Mutex(situation)
    }

    /// Reads the situation, or changes it, or uses a part of it up.
    func use<Result: Sendable>(_ body: (inout Situation) -> Result) -> Result {
        situation.withLock { body(&$0) }
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
