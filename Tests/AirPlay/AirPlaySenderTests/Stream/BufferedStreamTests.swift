import AirPlayMessages
import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Buffered stream to one speaker", .timeLimit(.minutes(10)), .tags(.machine))
struct BufferedStreamTests {
    /// A stream to a fake receiver's data port, on a manual clock.
    private struct Rig: Sendable {
        let store = PacketStore()
        let clock = ManualClock()
        let state = ReceiverState(.standard, name: "Rig")
        let data: FakeData
        let stream: BufferedStream

        init(bufferBytes: Int, isReading: Bool = true, waitsForRelease: Bool = false) async throws {
            let key = SymmetricKey()
            data = try FakeData(at: .loopbackV4, key: key.bytes, isReading: isReading, receiver: state)
            stream = try BufferedStream(
                connection: await Self.connect(to: data), store: store,
                parameters: BufferedStream.Parameters(
                    key: key, headerStyle: .formatCode23, formatCode: { $0.formatCode },
                    firstSequence: SequenceNumber(truncating: 0x7F_FFF0),
                    firstTime: RTPTime(rawValue: 0xFFFF_F000), bufferBytes: bufferBytes,
                    slowReaderBytesPerSecond: nil, waitsForRelease: waitsForRelease),
                clock: clock)
        }

        static func connect(to data: FakeData) async throws -> TCPConnection {
            let connection = try await TCPConnection.connect(
                to: SocketAddress(.loopbackV4, port: data.port))
            connection.start(onBytes: { _ in }, onClose: { _ in })
            return connection
        }

        /// Returns a stream that continues this one on another connection, of which the speaker has 20 packets.
        func continued() async throws -> BufferedStream {
            let connection = try await Self.connect(to: data)
            let sequence = SequenceNumber(truncating: 0x7F_FFF0).advanced(by: 20)
            return try #require(stream.continued(over: connection, at: sequence))
        }

        func fill(
            _ count: Int, from frame: Int64 = 0, mark: UInt8 = 0, byteCount: Int = 1400,
            format: AudioWireFormat = .alac44100x16
        ) {
            for number in 0..<count {
                let frame = frame + Int64(number * format.framesPerPacket)
                Stage.payload(frame, byteCount: byteCount, mark: mark).withUnsafeBytes {
                    store.append(
                        frame: frame, frameCount: format.framesPerPacket, format: format, payload: $0)
                }
            }
        }

        /// Waits until the stream, or the one that continues it, is idle and all sent packets have arrived.
        func settle(_ other: BufferedStream? = nil) async throws -> ReceiverLog {
            let stream = other ?? stream
            stream.pumpSoon()
            while true {
                let progress = stream.progress()
                if progress.isDrained || progress.isFull {
                    return try await state.log.wait(for: "\(progress.packets) packets") {
                        $0.packets.count >= progress.packets ? $0 : nil
                    }
                }
                await Task.yield()
            }
        }

        func startLine() -> FrameLine {
            FrameLine(frame: 0, host: clock.now, sampleRate: .hz44100)
        }
    }

    @Test("a stream that waits for its release sends nothing before it")
    func waitsForRelease() async throws {
        let rig = try await Rig(bufferBytes: 1 << 20, waitsForRelease: true)
        rig.fill(20)
        rig.stream.pumpSoon()
        // On the stream's queue, behind the pump.
        #expect(rig.stream.progress().packets == 0)
        rig.stream.release()
        #expect(try await rig.settle().packets.map(\.frame) == (0..<20).map { $0 * 352 })
    }

    @Test("the speaker's buffer never overflows, and is kept nearly full")
    func bounded() async throws {
        let buffer = 300_000
        let rig = try await Rig(bufferBytes: buffer)
        rig.fill(2000)
        let line = rig.startLine()
        _ = rig.stream.prepareStart(at: 0)
        rig.stream.setLine(line)
        for _ in 0..<40 {
            let log = try await rig.settle()
            let playhead = line.frame(at: rig.clock.now)
            let held = log.packets.reduce(0) { $0 + (($1.frame ?? 0) + 352 > playhead ? $1.wireBytes : 0) }
            #expect(held <= buffer)
            #expect(held > buffer - SendWindow.bufferMargin - 2 * 1438)
            #expect(rig.stream.progress().speakerBytes == held)
            rig.clock.advance(by: .milliseconds(333))
        }
        rig.stream.close()
    }

    @Test("sequence numbers and RTP times continue past their wraps")
    func wraps() async throws {
        let rig = try await Rig(bufferBytes: 8 << 20)
        rig.fill(40, byteCount: 100)
        let point = rig.stream.prepareStart(at: 0)
        #expect(point == BufferedStream.StartPoint(time: RTPTime(rawValue: 0xFFFF_F000), flush: nil))
        let packets = try await rig.settle().packets
        #expect(packets.count == 40)
        for (number, packet) in packets.enumerated() {
            #expect(packet.sequence == (0x7F_FFF0 + UInt32(number)) & 0x7F_FFFF)
            #expect(packet.rtpTime == RTPTime(rawValue: 0xFFFF_F000).advanced(by: Int64(number) * 352))
        }
        rig.stream.close()
    }

    @Test("a start at a frame that the store does not have yet sends nothing before it")
    func startAhead() async throws {
        let rig = try await Rig(bufferBytes: 8 << 20)
        rig.fill(20, byteCount: 100)
        _ = rig.stream.prepareStart(at: 0)
        #expect(try await rig.settle().packets.count == 20)
        let frame: Int64 = 352 * 120 + 100
        _ = rig.stream.prepareStart(at: frame)
        rig.fill(110, from: 352 * 20, byteCount: 100)
        let frames = try await rig.settle().packets.map(\.frame)
        #expect(frames.suffix(10) == (120..<130).map { Int64($0) * 352 }[...])
        #expect(frames.count == 30)
        rig.stream.close()
    }

    @Test("a start at a frame whose AAC packet is still missing also sends the two packets before it")
    func startAheadAAC() async throws {
        let rig = try await Rig(bufferBytes: 8 << 20)
        func fill(_ numbers: Range<Int>) {
            rig.fill(
                numbers.count, from: Int64(numbers.lowerBound * 1024), byteCount: 100, format: .aac44100)
        }
        fill(0..<10)
        _ = rig.stream.prepareStart(at: 0)
        #expect(try await rig.settle().packets.count == 10)
        // Another start takes the place of one that waits.
        _ = rig.stream.prepareStart(at: 1024 * 90)
        fill(10..<60)
        _ = rig.stream.prepareStart(at: 1024 * 60 + 10)
        fill(60..<70)
        let packets = try await rig.settle().packets
        let run = packets.suffix(12).map { ($0.frame ?? -1) / 1024 }
        #expect(run == Array(58..<70))
        #expect(packets.count == 22)
        rig.stream.close()
    }

    @Test("a flush that has failed is owed by the next start, though nothing was sent meanwhile")
    func owedFlush() async throws {
        let rig = try await Rig(bufferBytes: 8 << 20)
        rig.fill(20, byteCount: 100)
        _ = rig.stream.prepareStart(at: 0)
        #expect(try await rig.settle().packets.count == 20)
        let frame: Int64 = 352 * 200
        let flush = rig.stream.prepareStart(at: frame).flush
        #expect(flush != nil)
        rig.stream.requireFlush()
        #expect(rig.stream.prepareStart(at: frame).flush?.sequence == flush?.sequence)
        #expect(rig.stream.prepareStart(at: frame).flush == nil)
        rig.stream.close()
    }

    @Test("a cut after the last sent packet leaves no gap")
    func cutBehindSent() async throws {
        let rig = try await Rig(bufferBytes: 300_000)
        rig.fill(400)
        let line = rig.startLine()
        _ = rig.stream.prepareStart(at: 0)
        rig.stream.setLine(line)
        let sent = try await rig.settle().packets.count
        #expect(sent < 200)
        // Packet 300 has not been sent yet.
        let frame: Int64 = 352 * 300
        #expect(rig.stream.withdraw(from: frame) == nil)
        rig.store.truncate(at: frame)
        rig.fill(50, from: frame, mark: 1)
        rig.stream.resume(from: frame)
        rig.clock.advance(by: .seconds(2))
        var log = try await rig.settle()
        while log.packets.count < 350, rig.clock.now < HostTime(nanoseconds: 30_000_000_000) {
            rig.clock.advance(by: .milliseconds(500))
            log = try await rig.settle()
        }
        #expect(log.packets.map(\.frame) == (0..<350).map { Int64($0) * 352 })
        #expect(log.packets.suffix(50).allSatisfy { $0.mark == 1 })
        rig.stream.close()
    }

    @Test("a cut within the sent packets resends them, even if the store did not change")
    func cutUnchanged() async throws {
        let rig = try await Rig(bufferBytes: 8 << 20)
        rig.fill(20, byteCount: 100)
        _ = rig.stream.prepareStart(at: 0)
        let old = try await rig.settle().packets
        let range = try #require(rig.stream.withdraw(from: 352 * 15))
        #expect(range.fromSequence.rawValue == old[15].sequence && range.fromTime == old[15].rtpTime)
        rig.stream.resume(from: 352 * 15)
        let all = try await rig.settle().packets
        #expect(all.dropFirst(20).map(\.frame) == (15..<20).map { Int64($0) * 352 })
        rig.stream.close()
    }

    @Test("a clear that had to wait while sound was withdrawn leaves the stream held")
    func clearBehindCut() async throws {
        let rig = try await Rig(bufferBytes: 8 << 20)
        rig.fill(20, byteCount: 100)
        _ = rig.stream.prepareStart(at: 0)
        #expect(try await rig.settle().packets.count == 20)
        rig.stream.withdraw(from: 352 * 10)
        #expect(rig.stream.clear(keepsHold: true) != nil)
        rig.stream.pumpSoon()
        #expect(rig.stream.progress().packets == 20)
        rig.store.truncate(at: 352 * 10)
        rig.fill(5, from: 352 * 10, mark: 1, byteCount: 100)
        #expect(rig.stream.progress().packets == 20)
        rig.stream.resume(from: 352 * 10)
        let packets = try await rig.settle().packets.suffix(15)
        #expect(packets.map(\.frame) == (0..<15).map { Int64($0) * 352 })
        #expect(packets.map(\.mark) == (0..<15).map { $0 < 10 ? 0 : 1 })
        rig.stream.close()
    }

    @Test("a stream that continues another one sends nothing before the frame of a start, either")
    func continuedAhead() async throws {
        let rig = try await Rig(bufferBytes: 8 << 20)
        rig.fill(20, byteCount: 100)
        _ = rig.stream.prepareStart(at: 0)
        #expect(try await rig.settle().packets.count == 20)
        _ = rig.stream.prepareStart(at: 352 * 120)
        let next = try await rig.continued()
        rig.fill(110, from: 352 * 20, byteCount: 100)
        let frames = try await rig.settle(next).packets.map(\.frame)
        #expect(frames.prefix(20) == (0..<20).map { Int64($0) * 352 }[...])
        #expect(frames.dropFirst(20) == (120..<130).map { Int64($0) * 352 }[...])
        rig.stream.close()
        next.close()
    }

    @Test("a stream that continues one from which sound was withdrawn waits for the new sound, too")
    func continuedInCut() async throws {
        let rig = try await Rig(bufferBytes: 8 << 20)
        rig.fill(20, byteCount: 100)
        _ = rig.stream.prepareStart(at: 0)
        #expect(try await rig.settle().packets.count == 20)
        let frame: Int64 = 352 * 15
        rig.stream.withdraw(from: frame)
        let next = try await rig.continued()
        rig.fill(5, from: 352 * 20, byteCount: 100)
        // On the stream's queue, behind the pump.
        #expect(next.progress().packets == 20)
        rig.store.truncate(at: frame)
        rig.fill(10, from: frame, mark: 1, byteCount: 100)
        next.resume(from: frame)
        let packets = try await rig.settle(next).packets.suffix(10)
        #expect(packets.map(\.frame) == (15..<25).map { Int64($0) * 352 })
        #expect(packets.allSatisfy { $0.mark == 1 } && next.progress().packets == 30)
        rig.stream.close()
        next.close()
    }

    @Test("sending stops at the kernel limit if the speaker does not read, and continues when it does")
    func stalled() async throws {
        let rig = try await Rig(bufferBytes: 64 << 20, isReading: false)
        rig.fill(4000)
        _ = rig.stream.prepareStart(at: 0)
        var progress = rig.stream.progress()
        while progress.speakerBytes < SendWindow.kernelLimit {
            progress = rig.stream.progress()
            await Task.yield()
        }
        #expect(!progress.isDrained)
        // The peer's kernel may hold some more; ours holds at most the limit and one batch.
        #expect(rig.stream.connection.unsentBytes <= SendWindow.kernelLimit + 48 * 1024)
        rig.data.read()
        let log = try await rig.state.log.wait(for: "all packets") { $0.packets.count == 4000 ? $0 : nil }
        #expect(log.complaints.isEmpty)
        rig.stream.close()
    }
}
