import Testing
import TuttiTestSupport

@testable import TuttiSystemIO

@Suite("Owner of a UDP port", .tags(.machine))
struct PortHolderTests {
    static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref
          21: 00000000:013F 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4711 2 x 0
          22: 0100007F:0140 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4712 2 x 0
          23: 00000000000000000000000001000000:013F 0:0 07 0:0 00:0 0     0        0 4713 2 x 0
          24: broken
        """

    static let ports: [(UInt16, Set<String>)] = [(319, ["4711", "4713"]), (320, ["4712"]), (321, [])]

    @Test("the kernel's table is parsed", arguments: ports)
    func inodes(port: UInt16, expected: Set<String>) {
        #expect(PortHolder.socketInodes(ofPort: port, inTable: Self.table) == expected)
    }

    @Test("our own socket is found under our name")
    func ours() throws {
        let socket = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        let holder = try #require(PortHolder.whoHolds(udpPort: socket.address.port))
        #expect(holder.processID > 0 && !holder.program.isEmpty)
    }
}
