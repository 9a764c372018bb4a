import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlaySender

@Suite("Pairing with an Apple TV before HomeKit, without sockets")
struct OldPairingTests {
    typealias Output = PairingProcedure.Output

    private static let target = {
        var target = SpeakerTarget(name: "Old TV", addresses: PairingProcedureTests.addresses)
        target.record = AirPlayTXTRecord([
            (key: "features", value: "0x5A7FFFF7,0x1E"), (key: "flags", value: "0x244"),
            (key: "deviceid", value: "02:00:00:00:00:01"), (key: "model", value: "AppleTV3,2"),
        ])
        return target
    }()

    /// Answers as the Apple TV does, to the end; returns the paths of the requests, and the last output.
    private static func run(
        _ accessory: inout FruitAccessory, pin: String
    ) -> (paths: [String], end: Output?) {
        var procedure = PairingProcedure(target, identity: AccessSpeaker.controller)
        var (output, paths): (Output?, [String]) = (procedure.begin(), [])
        while let current = output {
            switch current {
            case .paired, .failed: return (paths, current)
            case .connect: output = procedure.receive(.connected)
            case .ask: output = procedure.receive(.secret(pin))
            case .send(let request):
                paths.append(request.path)
                output = procedure.receive(.answered(answer(&accessory, request)))
            }
        }
        return (paths, nil)
    }

    private static func answer(_ accessory: inout FruitAccessory, _ request: RTSPRequest) -> RTSPResponse {
        guard request.path == "/pair-setup-pin" else { return RTSPResponse() }
        do {
            let reply = try accessory.receive(FruitPairingMessage(body: request.body))
            return RTSPResponse(contentType: "x", body: reply.body)
        } catch {
            return RTSPResponse(.connectionAuthorizationRequired)
        }
    }

    @Test("the PIN is asked for without /info, and the Apple TV knows our key then")
    func order() throws {
        var accessory = try FruitAccessory(pin: "4711")
        let (paths, end) = Self.run(&accessory, pin: "4711")
        #expect(paths == ["/pair-pin-start"] + [String](repeating: "/pair-setup-pin", count: 3))
        let speaker = try #require(PairedSpeaker(id: "02:00:00:00:00:01", name: "Old TV", accessory: nil))
        #expect(end == .paired(speaker))
        #expect(Array(accessory.controllers.values) == [AccessSpeaker.controller.key.verifyingKey])
    }

    @Test("a wrong PIN is told")
    func wrongPIN() throws {
        var accessory = try FruitAccessory(pin: "4711")
        let (_, end) = Self.run(&accessory, pin: "4712")
        guard case .failed(let failure) = end else {
            Issue.record("not failed: \(String(describing: end))")
            return
        }
        #expect(failure.code == .pinWrong && accessory.controllers.isEmpty)
    }
}
