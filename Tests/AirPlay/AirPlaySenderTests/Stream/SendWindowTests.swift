import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Flow control of a stream")
struct SendWindowTests {
    private static let zero = HostTime(nanoseconds: 0)
    private static let buffer = 1 << 20
    private static let room = buffer - SendWindow.bufferMargin

    static let cases: [(String, kernel: Int, speaker: Int, SendWindow.Verdict)] = [
        ("empty", 0, 0, .send(SendWindow.kernelLimit)),
        ("kernel half full", 30_000, 0, .send(SendWindow.kernelLimit - 30_000)),
        ("one byte of kernel left", SendWindow.kernelLimit - 1, 0, .send(1)),
        ("kernel full", SendWindow.kernelLimit, 0, .kernelFull),
        ("kernel more than full", SendWindow.kernelLimit * 2, 0, .kernelFull),
        ("speaker nearly full", 0, room - 100, .send(100)),
        ("speaker full", 0, room, .speakerFull),
        ("speaker more than full", 0, buffer * 2, .speakerFull),
        ("both full: the speaker decides", SendWindow.kernelLimit, room, .speakerFull),
    ]

    @Test("only the kernel and the speaker's buffer limit a stream at line speed", arguments: cases)
    func verdicts(name: String, kernel: Int, speaker: Int, verdict: SendWindow.Verdict) {
        var window = SendWindow(bufferBytes: Self.buffer, slowReaderBytesPerSecond: nil)
        #expect(window.verdict(kernelBytes: kernel, speakerBytes: speaker, at: Self.zero) == verdict)
        // Sent bytes use up no credit at line speed.
        window.sent(10 << 20)
        #expect(window.verdict(kernelBytes: kernel, speakerBytes: speaker, at: Self.zero) == verdict)
    }

    @Test(
        "the room for a start is the margin once more, also in a small buffer", arguments: [buffer, 40_000])
    func room(bufferBytes: Int) {
        let window = SendWindow(bufferBytes: bufferBytes, slowReaderBytesPerSecond: nil)
        let margin = min(SendWindow.bufferMargin, bufferBytes / 4)
        #expect(window.hasRoom(speakerBytes: 0) && window.hasRoom(speakerBytes: bufferBytes - 2 * margin))
        #expect(!window.hasRoom(speakerBytes: bufferBytes - 2 * margin + 1))
    }

    @Test("a slow reader gets a burst, then its pace, and another burst after a flush")
    func paced() {
        var window = SendWindow(bufferBytes: 8 << 20, slowReaderBytesPerSecond: 350_000)
        func verdict(_ now: HostTime) -> SendWindow.Verdict {
            window.verdict(kernelBytes: 0, speakerBytes: 0, at: now)
        }
        #expect(verdict(Self.zero) == .send(SendWindow.kernelLimit))
        window.sent(SendWindow.slowReaderBurst - 10_000)
        #expect(verdict(Self.zero) == .send(10_000))
        window.sent(10_000)
        guard case .paced(let pause) = verdict(Self.zero) else {
            Issue.record("the burst is used up")
            return
        }
        #expect(pause == .milliseconds(46))
        #expect(verdict(Self.zero.advanced(by: pause)) == .send(16_100))
        window.restart()
        #expect(verdict(Self.zero.advanced(by: pause)) == .send(SendWindow.kernelLimit))
    }

    @Test(
        "a slow reader gets no more than the burst and the pace allow, and not much less",
        arguments: [31, 32] as [UInt64])
    func longRun(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rate = 350_000
        var window = SendWindow(bufferBytes: 1 << 40, slowReaderBytesPerSecond: rate)
        var (now, total) = (Self.zero, 0)
        while now < HostTime(nanoseconds: 120_000_000_000) {
            switch window.verdict(kernelBytes: 0, speakerBytes: 0, at: now) {
            case .send(let limit):
                var batch = 0
                while batch < limit { batch += Int.random(in: 60...1450, using: &random) }
                window.sent(batch)
                total += batch
            case .paced(let pause):
                #expect(pause >= .milliseconds(5))
                // A late timer must not reduce the throughput.
                now = now.advanced(by: pause + .milliseconds(Int.random(in: 0...20, using: &random)))
            default: Issue.record("nothing else holds this stream up")
            }
            let earned = Int(now.since(Self.zero).inSeconds * Double(rate))
            #expect(total <= SendWindow.slowReaderBurst + earned + 1450)
        }
        #expect(total > rate * 119)
    }

    @Test("a reader that was idle for long gets only one burst")
    func idle() {
        var window = SendWindow(bufferBytes: 8 << 20, slowReaderBytesPerSecond: 350_000)
        _ = window.verdict(kernelBytes: 0, speakerBytes: 0, at: Self.zero)
        window.sent(SendWindow.slowReaderBurst)
        let later = Self.zero.advanced(by: .seconds(3600))
        #expect(
            window.verdict(kernelBytes: 0, speakerBytes: 0, at: later) == .send(SendWindow.kernelLimit))
        window.sent(SendWindow.slowReaderBurst)
        guard case .paced = window.verdict(kernelBytes: 0, speakerBytes: 0, at: later) else {
            Issue.record("the burst is used up")
            return
        }
    }
}
