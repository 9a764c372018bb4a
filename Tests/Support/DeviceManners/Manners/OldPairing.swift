import AirPlayMessages
// For the body of a pairing message.
import AirPlaySender
import HomeKitPairing
import Synchronization
import TuttiRTSP
import TuttiSystemIO

/// The PIN of an Apple TV before HomeKit, and the controllers that have paired with it. Any thread.
package final class OldPairing: Sendable {
    private let pin: String
    private let known: Mutex<FruitAccessory>
    private let showPIN: @Sendable (String) -> Void

    /// - Parameters:
    ///   - machine: Gives the PIN's digits.
    ///   - showPIN: Shows the PIN.
    package init(on machine: any Machine, showPIN: @escaping @Sendable (String) -> Void) throws {
        pin = String(1000 + machine.randomBits() % 9000)
        known = Mutex(try FruitAccessory(pin: pin))
        self.showPIN = showPIN
    }

    /// The pairing on a new connection.
    func connection() -> Connection { Connection(accessory: known.withLock { $0 }, pairing: self) }

    /// One connection: which requests it answers by itself, and whether its controller is let in.
    struct Connection {
        private var accessory: FruitAccessory
        private let pairing: OldPairing

        fileprivate init(accessory: FruitAccessory, pairing: OldPairing) {
            (self.accessory, self.pairing) = (accessory, pairing)
        }

        /// Returns the answer to a request of pairing, or to a stream of a controller that is not let in; `nil` for any other request.
        mutating func answer(_ request: RTSPRequest) -> RTSPResponse? {
            switch (request.method, request.path) {
            case (.post, "/pair-pin-start"):
                pairing.showPIN(pairing.pin)
                return RTSPResponse()
            case (.post, "/pair-setup-pin"): return answer { try $0.setUp(request.body) }
            case (.post, "/pair-verify"): return answer { try $0.receive(request.body) }
            case (.announce, _):
                return accessory.isVerified ? nil : RTSPResponse(.connectionAuthorizationRequired)
            default: return nil
            }
        }

        private mutating func answer(_ body: (inout FruitAccessory) throws -> [UInt8]) -> RTSPResponse {
            accessory.controllers = pairing.known.withLock { $0.controllers }
            do {
                let reply = try body(&accessory)
                pairing.known.withLock { $0.controllers = accessory.controllers }
                return RTSPResponse(contentType: "application/octet-stream", body: reply)
            } catch {
                return RTSPResponse(.connectionAuthorizationRequired)
            }
        }
    }
}

extension FruitAccessory {
    fileprivate mutating func setUp(_ body: [UInt8]) throws -> [UInt8] {
        try receive(FruitPairingMessage(body: body)).body
    }
}
