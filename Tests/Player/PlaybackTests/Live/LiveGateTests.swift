import Testing
import TuttiMediaTime

@testable import Playback

@Suite("The life of a live player")
struct LiveGateTests {
    /// A gate that expectations may change.
    final class Gate {
        private var gate = LiveGate(idleTime: .seconds(60))

        var phase: LiveGate.Phase { gate.phase }
        func take(isSilent: Bool, at time: HostTime) -> LiveGate.Verdict {
            gate.take(isSilent: isSilent, at: time)
        }
        func start(at time: HostTime) -> Bool { gate.start(at: time) }
        func run(at time: HostTime) -> Bool { gate.run(at: time) }
        func isOver(at time: HostTime) -> Bool { gate.isOver(at: time) }
        func decline() { gate.decline() }
        func reset() { gate.reset() }
    }

    let gate = Gate()

    private func at(_ seconds: Double) -> HostTime {
        HostTime(nanoseconds: 0).advanced(by: .seconds(seconds))
    }

    @Test("the first sound is told once; silence is not")
    func first() {
        #expect(gate.take(isSilent: true, at: at(1)) == .drop)
        #expect(gate.take(isSilent: false, at: at(2)) == .tell)
        #expect(gate.take(isSilent: false, at: at(2.01)) == .keep)
        #expect(gate.start(at: at(2.1)))
        #expect(gate.take(isSilent: false, at: at(2.2)) == .keep)
        #expect(gate.run(at: at(3)))
        #expect(gate.take(isSilent: false, at: at(3.1)) == .play)
    }

    @Test(
        "a minute of silence ends playback, whether zeros or nothing comes; the next sound is told at once",
        arguments: [
            true, false,
        ])
    func idle(zeros: Bool) {
        _ = gate.start(at: at(0))
        _ = gate.run(at: at(0))
        #expect(gate.take(isSilent: false, at: at(1)) == .play)
        #expect(!gate.isOver(at: at(60.9)))
        if zeros {
            #expect(gate.take(isSilent: true, at: at(60.9)) == .play)
            #expect(gate.take(isSilent: true, at: at(61)) == .end)
        } else {
            #expect(gate.isOver(at: at(61)))
        }
        #expect(gate.phase == .idle)
        #expect(gate.take(isSilent: false, at: at(61.1)) == .tell)
    }

    @Test("declined sound is dropped until it has been silent for two seconds")
    func declined() {
        #expect(gate.take(isSilent: false, at: at(1)) == .tell)
        gate.decline()
        for step in 0..<100 {
            #expect(gate.take(isSilent: false, at: at(1 + Double(step) / 10)) == .drop)
        }
        // A short pause between two tracks is no silence.
        #expect(gate.take(isSilent: true, at: at(12)) == .drop)
        #expect(gate.take(isSilent: false, at: at(12.5)) == .drop)
        #expect(gate.take(isSilent: false, at: at(14.6)) == .tell)
    }

    @Test("a user may start declined sound, and after a stop the next block is reported")
    func chosen() {
        #expect(gate.take(isSilent: false, at: at(1)) == .tell)
        gate.decline()
        #expect(gate.start(at: at(2)))
        #expect(!gate.start(at: at(2)))
        gate.reset()
        #expect(gate.take(isSilent: false, at: at(2.1)) == .tell)
    }
}
