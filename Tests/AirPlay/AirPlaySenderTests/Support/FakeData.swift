import Synchronization
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

@testable import AirPlaySender

/// The audio connection of a fake receiver. Splits the bytes into packets, decrypts and records them.
final class FakeData: Sendable {
    private struct State: ~Copyable {
        var parser = BufferedStreamParser()
        var opener: BufferedPacketOpener
        var connection: TCPConnection?
        var number = 0
    }

    private let listener: TCPListener
    private let state: Mutex<State>
    private let receiver: ReceiverState

    var port: UInt16 { listener.address.port }

    init(at address: IPAddress, key: [UInt8], isReading: Bool, receiver: ReceiverState) throws {
        self.receiver = receiver
        let opener = try BufferedPacketOpener(key: SymmetricKey(key))
        state = Mutex(State(opener: opener))
        listener = try TCPListener(at: SocketAddress(address, port: 0))
        listener.start { [weak self] connection in
            guard let self else { return connection.close() }
            let number = self.receiver.log.update { log in
                log.dataConnections += 1
                return log.dataConnections
            }
            self.state.withLock { state in
                state.connection = connection
                state.number = number
            }
            if !isReading { connection.pauseReading() }
            connection.start(onBytes: { [weak self] in self?.receive($0) }, onClose: { _ in })
        }
    }

    func read() { state.withLock { $0.connection }?.resumeReading() }

    private func receive(_ bytes: [UInt8]) {
        var packets: [ReceiverLog.Packet] = []
        var complaint: String?
        state.withLock { state in
            state.parser.append(bytes)
            do {
                while let packet = try state.parser.nextPacket() {
                    let opened = try state.opener.open(packet[...])
                    packets.append(Self.record(opened, wireBytes: packet.count + 2, state.number))
                }
            } catch {
                complaint = "\(error)"
            }
        }
        receiver.log.update { log in
            log.packets += packets
            log.wireBytes += bytes.count
            if let complaint { log.complaints.append(complaint) }
        }
    }

    private static func record(
        _ packet: BufferedPacket, wireBytes: Int, _ number: Int
    ) -> ReceiverLog.Packet {
        let (sequence, code): (UInt32, UInt32) =
            switch packet.header.numbering {
            case .formatCode23(let sequence, let code): (sequence.rawValue, code)
            case .classicRTP16(let sequence, _): (UInt32(sequence), 0)
            }
        return ReceiverLog.Packet(
            connection: number, sequence: sequence, rtpTime: packet.header.rtpTime, formatCode: code,
            payload: packet.payload, wireBytes: wireBytes)
    }
}
