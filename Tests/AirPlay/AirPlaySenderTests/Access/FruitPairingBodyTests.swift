import AirPlayMessages
import HomeKitPairing
import Testing

@testable import AirPlaySender

@Suite("Bodies of the pairing of Apple TVs before HomeKit")
struct FruitPairingBodyTests {
    private static let bodies: [(PropertyList, @Sendable (inout FruitPairingMessage) -> Void)] = [
        (
            ["method": "pin", "user": "1122334455667788"],
            { ($0.method, $0.user) = ("pin", "1122334455667788") }
        ),
        (["pk": .data([1, 2]), "salt": .data([3])], { ($0.publicKey, $0.salt) = ([1, 2], [3]) }),
        (["pk": .data([1]), "proof": .data([2])], { ($0.publicKey, $0.proof) = ([1], [2]) }),
        (["epk": .data([4]), "authTag": .data([5])], { ($0.sealedKey, $0.tag) = ([4], [5]) }),
        ([:], { _ in }),
    ]

    @Test("each message has its keys, in both directions", arguments: bodies.indices)
    func roundTrip(index: Int) throws {
        let (list, change) = Self.bodies[index]
        var message = FruitPairingMessage()
        change(&message)
        #expect(message.propertyList == list)
        #expect(try FruitPairingMessage(body: message.body) == message)
    }

    @Test("a value of another type is missing, and a body that is no dictionary is an error")
    func malformed() throws {
        let odd = FruitPairingMessage()
        #expect(try FruitPairingMessage(propertyList: ["pk": "text", "salt": 7, "x": true]) == odd)
        #expect(throws: MessageError.self) { try FruitPairingMessage(propertyList: [1, 2]) }
        #expect(throws: MessageError.self) { try FruitPairingMessage(body: [1, 2, 3]) }
        #expect(throws: MessageError.self) { try FruitPairingMessage(body: []) }
    }
}
