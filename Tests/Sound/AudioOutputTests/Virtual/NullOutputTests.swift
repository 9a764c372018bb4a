import Testing
import TuttiMediaTime
import TuttiSystemIO

@testable import TuttiAudioOutput

@Suite("NullOutput")
struct NullOutputTests {
    @Test("the output asks in order on its own thread, and not after stop")
    func runs() throws {
        let output = NullOutput(sampleRate: .hz48000, ppm: 40, periodFrames: 48, machine: SystemMachine())
        let source = RampSource(callCount: 20)
        try output.start(source)
        #expect(source.waitForCalls())
        output.stop()
        output.stop()
        let times = source.times
        #expect(times.map(\.frame) == times.indices.map { Int64(48 * $0) })
        for (index, time) in times.enumerated() {
            let step = Double(time.playTime.since(times[0].playTime).wholeNanoseconds)
            #expect(abs(step - Double(index) * 1e6 / 1.00004) < 1.01)
        }
        #expect(source.times.count == times.count)
        #expect(throws: OutputError.self) { try output.start(source) }
    }

    @Test("an output stopped before its start never asks")
    func stoppedEarly() throws {
        let output = NullOutput(machine: SystemMachine())
        output.stop()
        let source = RampSource()
        try output.start(source)
        output.stop()
        #expect(source.times.isEmpty)
    }

    @Test("the format is float at the requested rate, the period 10 ms")
    func format() {
        let output = NullOutput(sampleRate: .hz48000, machine: SystemMachine())
        #expect(output.format.description == "48000 Hz, 2 channels, float32")
        #expect(output.periodFrames == 480)
    }
}
