import Testing
import TuttiSystemIO

@testable import TuttiHouseSimulation

@Suite("A house's watch over nonces")
struct NonceWatchTests {
    private let watch = NonceWatch(plain: [])
    private let speaker = SocketAddress(.loopbackV4, port: 5000)
    private static let first = IPAddress.loopbackV4
    private static let second = IPAddress.loopbackV6

    /// Sends a packet of realtime sound; two with other tags are two packets.
    private func send(_ nonce: UInt64, tag: UInt8, from sender: IPAddress = Self.first) {
        let header: [UInt8] = [0x80, 96] + [UInt8](repeating: 0, count: 10)
        let sound = [UInt8](repeating: tag, count: 32)
        watch.look(
            at: header + sound + withUnsafeBytes(of: nonce.littleEndian) { Array($0) }, from: sender,
            to: speaker)
    }

    @Test("a second packet with the same nonce is noticed, a copy of a packet is not")
    func again() {
        send(0, tag: 1)
        send(1, tag: 2)
        send(1, tag: 2)
        #expect(watch.complaints.isEmpty)
        send(1, tag: 3)
        #expect(watch.complaints.count == 1)
    }

    @Test("nonces of two senders that send to one speaker at the same time are not compared")
    func twoSenders() {
        send(0, tag: 1)
        send(1, tag: 2)
        send(0, tag: 3, from: Self.second)
        send(2, tag: 4)
        send(1, tag: 5, from: Self.second)
        send(2, tag: 6, from: Self.second)
        #expect(watch.complaints.isEmpty)
    }
}
