import Testing
import TuttiMediaTime

@testable import TuttiAudioOutput

@Suite("PlayTimeLog")
struct PlayTimeLogTests {
    @Test("the log has one line a second while the line holds", arguments: [0, 40, -25, 0.5])
    func regular(ppm: Double) {
        var log = PlayTimeLog(sampleRate: .hz44100, ppm: ppm)
        var dac = VirtualDAC(
            sampleRate: .hz44100, ppm: ppm, startingAt: HostTime(nanoseconds: 1_000_000_007))
        var lines: [String] = []
        while let time = dac.nextPeriod(at: HostTime(nanoseconds: 61_000_000_000)) {
            if let line = log.line(for: time) { lines.append(line) }
        }
        #expect(lines.count == 60 || lines.count == 61)
        #expect(lines[0].hasPrefix("0 "))
        #expect(lines[1] == "44100 \(dac.playTime(of: 44_100).nanoseconds)\n")
    }

    @Test("a break in the line is logged at its first frame")
    func breaks() {
        var log = PlayTimeLog(sampleRate: .hz48000, ppm: 0)
        func line(_ frame: Int64, _ nanoseconds: Int64) -> String? {
            log.line(
                for: DeviceTime(
                    frame: frame, playTime: HostTime(nanoseconds: nanoseconds), rateRatio: 1))
        }
        #expect(line(0, 1_000) == "0 1000\n")
        #expect(line(480, 10_001_000) == nil)
        #expect(line(960, 1_020_001_000) == "960 1020001000\n")
        #expect(line(1440, 1_030_001_000) == nil)
    }

    @Test("the header names rate and ppm")
    func header() {
        #expect(PlayTimeLog(sampleRate: .hz44100, ppm: 40).header == "# rate 44100 ppm 40\n")
        #expect(PlayTimeLog(sampleRate: .hz48000, ppm: -0.5).header == "# rate 48000 ppm -0.5\n")
    }
}
