import AirPlayMessages
import Synchronization
import Testing
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

/// An output with its own thread, paced by the machine's clock, until it has played audio.
private final class PacedOutput: AudioOutput {
    let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .float32)
    let periodFrames = 441
    private let isStopped = Atomic<Bool>(false)
    private let onSound: @Sendable (Float, HostTime) -> Void

    /// - Parameter onSound: Receives the first sample that is not silent, and its play time.
    init(onSound: @escaping @Sendable (Float, HostTime) -> Void) { self.onSound = onSound }

    func start(_ source: any RenderSource) throws(OutputError) {
        try? RealtimeThread.start(name: "paced", priority: 1) { [self] _ in run(source) }
    }

    func stop() { isStopped.store(true, ordering: .releasing) }

    private func run(_ source: any RenderSource) {
        guard let signal = try? WakeSignal() else { return }
        var poller = SocketPoller(sockets: [], signal: signal)
        let begin = SystemClock.now.advanced(by: .milliseconds(20))
        var output = [Float](repeating: 0, count: 882)
        var (frame, isSilent) = (Int64(0), true)
        while !isStopped.load(ordering: .acquiring) {
            let playTime = begin.advanced(by: SampleRate.hz44100.duration(of: frame))
            output.withUnsafeMutableBufferPointer {
                source.render(
                    $0, frameCount: 441, at: DeviceTime(frame: frame, playTime: playTime, rateRatio: 1))
            }
            if isSilent, let first = output.firstIndex(where: { $0 != 0 }) {
                isSilent = false
                onSound(
                    output[first], playTime.advanced(by: SampleRate.hz44100.duration(of: Int64(first / 2))))
            }
            frame += 441
            let next = begin.advanced(by: SampleRate.hz44100.duration(of: frame))
            try? poller.wait(until: next.advanced(by: .milliseconds(-20)), onReadable: { _ in })
        }
    }
}

@Suite("SpeakerOutput", .tags(.machine))
struct SpeakerOutputTests {
    private typealias Speaker = ManualSpeaker

    static let clock = ClockIdentity(rawValue: 1)

    static func feed(_ sink: StreamPlayout, _ packets: Range<Int>, seed: Int64 = 0) {
        for index in packets {
            sink.append(
                TestPackets.pcm(UInt32(index), rtpTime: RTPTime(rawValue: UInt32(index * 352)), seed: seed))
        }
    }

    @Test(
        "packets reach the device on the frame, bit for bit; a pause takes one period; playback resumes from there"
    )
    func whole() throws {
        let speaker = try Speaker()
        #expect(speaker.run(3, nil).allSatisfy { $0 == 0 })
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<600)
        sink.play(along: speaker.anchor(0, at: 2000), on: Self.clock)
        let start = Int(2000 - speaker.frame)
        let output = speaker.run(100, sink)
        #expect(output[..<(start * 2)].allSatisfy { $0 == 0 })
        #expect(Array(output[(start * 2)...]) == TestPackets.samples(0..<Int64(44_100 - start)))
        sink.pause()
        #expect(speaker.run(5, sink)[882...].allSatisfy { $0 == 0 })
        let heard = speaker.frame - 5 * 441 - 2000
        sink.play(along: speaker.anchor(UInt32(heard - 1000), at: speaker.frame + 800), on: Self.clock)
        let second = speaker.run(20, sink)
        #expect(Array(second[1600...]) == TestPackets.samples(heard - 1000..<heard - 1000 + 20 * 441 - 800))
        let status = sink.status
        #expect(status.missingFrames == 0)
        #expect(status.underrunCount == 0)
        #expect(status.isPlaying)
        #expect(status.sampleRate == .hz44100)
        #expect(abs(status.error) < 12e-6)
    }

    @Test(
        "an accepted start plays from its first frame, before the mixing thread has run")
    func wholeBeginning() throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<600)
        _ = speaker.run(10, sink)
        #expect(sink.playWhole(along: speaker.anchor(0, at: speaker.frame), on: Self.clock) == nil)
        #expect(speaker.run(30, nil) == TestPackets.samples(0..<30 * 441))
        #expect(sink.status.isPlaying && sink.status.missingFrames == 0)
    }

    @Test("a start is late by the frames the device would skip, and then nothing plays")
    func lateness() throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<600)
        _ = speaker.run(10, sink)
        let early = speaker.anchor(0, at: speaker.frame - 4410)
        let late = try #require(sink.playWhole(along: early, on: Self.clock))
        #expect(abs(late.inSeconds - 0.1) < 1e-6)
        #expect(!sink.status.isPlaying)
        #expect(speaker.run(5, sink).allSatisfy { $0 == 0 })
        // A start is held until its clock is known.
        speaker.clock.isKnown.store(false, ordering: .relaxed)
        #expect(sink.playWhole(along: early, on: Self.clock) == nil)
        #expect(sink.status.isPlaying)
    }

    @Test("a start whose audio has not arrived is late, unless it is far ahead")
    func beginningToCome() throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<1)
        _ = speaker.run(10, sink)
        let urgent = Int64(StreamPlayout.urgentSeconds * 44_100)
        // Its audio could still arrive in time, but later audio only for the rest of it.
        for ahead in [0, urgent, 3 * urgent] {
            let anchor = speaker.anchor(0, at: speaker.frame + ahead)
            let late = try #require(sink.playWhole(along: anchor, on: Self.clock))
            #expect(abs(late.inSeconds - StreamPlayout.urgentSeconds) < 1e-4)
            #expect(!sink.status.isPlaying)
        }
        let start = Int64(StreamPlayout.mixedSeconds * 44_100)
        #expect(sink.playWhole(along: speaker.anchor(0, at: speaker.frame + start), on: Self.clock) == nil)
        Self.feed(sink, 1..<600)
        let output = speaker.run(50, sink)
        #expect(Array(output[Int(start * 2)...]) == TestPackets.samples(0..<50 * 441 - start))
        #expect(sink.status.missingFrames == 0)
    }

    @Test("a start postponed after it was mixed plays once, at its new time")
    func beginningPutOff() throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<600)
        _ = speaker.run(10, sink)
        let start = speaker.frame + 2000
        sink.play(along: speaker.anchor(0, at: start), on: Self.clock)
        var output = speaker.run(2, sink)
        sink.play(along: speaker.anchor(0, at: start + 1764), on: Self.clock)
        output += speaker.run(20, sink)
        #expect(output[..<(2 * 3764)].allSatisfy { $0 == 0 })
        #expect(Array(output[(2 * 3764)...]) == TestPackets.samples(0..<22 * 441 - 3764))
        #expect(sink.status.missingFrames == 0)
    }

    @Test("a late output plays what was due before a pause, and no more, also when a flush follows")
    func lateOutput() throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<600)
        _ = speaker.run(10, sink)
        #expect(sink.playWhole(along: speaker.anchor(0, at: speaker.frame), on: Self.clock) == nil)
        var output = speaker.run(10, sink)
        let due = 4410 + 700
        speaker.time.nanoseconds.store(speaker.playTime(of: speaker.frame + 700) + 10_000, ordering: .relaxed)
        sink.pause()
        sink.flush(FlushBuffered(until: .init(sequenceNumber: 600, rtpTime: RTPTime(rawValue: 600 * 352))))
        output += speaker.run(5, sink)
        #expect(Array(output[..<(2 * due)]) == TestPackets.samples(0..<Int64(due)))
        // The last sample fades within 48 frames.
        #expect(output[(2 * (due + 49))...].allSatisfy { $0 == 0 })
        #expect(sink.playWhole(along: speaker.anchor(0, at: speaker.frame), on: Self.clock) != nil)
    }

    @Test(
        "a pause tells the first frame that is not heard; a resume from there repeats and loses nothing",
        arguments: [nil, 0, 700] as [Int64?])
    func soundEnd(late: Int64?) throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<600)
        _ = speaker.run(10, sink)
        #expect(sink.playWhole(along: speaker.anchor(0, at: speaker.frame + 441), on: Self.clock) == nil)
        // Nothing has been heard yet.
        #expect(sink.pauseTellingEnd() == nil)
        #expect(speaker.run(1, sink).allSatisfy { $0 == 0 })
        #expect(sink.playWhole(along: speaker.anchor(0, at: speaker.frame + 441), on: Self.clock) == nil)
        var heard = Array(speaker.run(11, sink)[882...])
        if let late {
            let due = speaker.playTime(of: speaker.frame + late) + 10_000
            speaker.time.nanoseconds.store(due, ordering: .relaxed)
        }
        let end = try #require(sink.pauseTellingEnd())
        #expect(end.rawValue == UInt32(4410 + (late ?? 0)))
        #expect(sink.pauseTellingEnd() == nil)
        heard = Array((heard + speaker.run(5, sink))[..<(2 * Int(end.rawValue))])
        let start = speaker.frame + 2000
        #expect(sink.playWhole(along: speaker.anchor(end.rawValue, at: start), on: Self.clock) == nil)
        heard += speaker.run(20, sink)[4000...]
        #expect(heard == TestPackets.samples(0..<Int64(heard.count / 2)))
        #expect(sink.status.missingFrames == 0)
    }

    @Test("a pause after the sound at hand has run out tells the end of that sound")
    func soundEndOfDryStream() throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<10)
        _ = speaker.run(10, sink)
        #expect(sink.playWhole(along: speaker.anchor(0, at: speaker.frame), on: Self.clock) == nil)
        _ = speaker.run(10, sink)
        #expect(sink.pauseTellingEnd() == RTPTime(rawValue: 10 * 352))
    }

    @Test("a start after a pause is mixed once: earlier playback does not affect it")
    func resume() throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<600)
        _ = speaker.run(10, sink)
        #expect(sink.playWhole(along: speaker.anchor(0, at: speaker.frame), on: Self.clock) == nil)
        _ = speaker.run(10, sink)
        sink.pause()
        _ = speaker.run(5, sink)
        let start = speaker.frame + 3000
        #expect(sink.playWhole(along: speaker.anchor(4410, at: start), on: Self.clock) == nil)
        let track = try #require(sink.handoff.current)
        var output: [Float] = []
        for _ in 0..<20 {
            output += speaker.run(1, sink)
            #expect(sink.handoff.current === track)
        }
        #expect(output[..<6000].allSatisfy { $0 == 0 })
        #expect(Array(output[6000...]) == TestPackets.samples(4410..<4410 + 20 * 441 - 3000))
    }

    @Test("packets that arrive just before their time play, though mixing runs much further ahead")
    func lastMoment() throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<1)
        _ = speaker.run(1, sink)
        sink.play(along: speaker.anchor(0, at: 2000), on: Self.clock)
        let ahead = Int64(StreamPlayout.urgentSeconds * 44_100) + 3 * 441
        #expect(ahead < Int64(StreamPlayout.mixedSeconds * 44_100) - 2 * 441)
        var (fed, output) = (1, [Float]())
        for _ in 0..<100 {
            let due = Int(max(1, (speaker.frame + ahead - 2000 + 351) / 352))
            Self.feed(sink, fed..<max(fed, due))
            fed = max(fed, due)
            output += speaker.run(1, sink)
        }
        let start = 2000 - 441
        #expect(Array(output[(start * 2)...]) == TestPackets.samples(0..<Int64(44_100 - start)))
        #expect(sink.status.missingFrames == 0)
        #expect(sink.status.underrunCount == 0)
    }

    @Test("a seek takes effect within two periods")
    func seek() throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<200)
        _ = speaker.run(2, sink)
        sink.play(along: speaker.anchor(0, at: speaker.frame), on: Self.clock)
        _ = speaker.run(30, sink)
        let point = FlushBuffered.Point(sequenceNumber: 1000, rtpTime: RTPTime(rawValue: 352_000))
        sink.flush(FlushBuffered(until: point))
        Self.feed(sink, 1000..<1200)
        sink.play(along: speaker.anchor(352_000, at: speaker.frame), on: Self.clock)
        let output = speaker.run(3, sink)
        #expect(Array(output[882...]) == TestPackets.samples(352_441..<352_441 + 882))
    }

    @Test("a clock that falls silent does not stop playback; an unknown clock is waited for")
    func clock() throws {
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        speaker.clock.isKnown.store(false, ordering: .relaxed)
        Self.feed(sink, 0..<400)
        sink.play(along: speaker.anchor(0, at: 0), on: Self.clock)
        #expect(speaker.run(20, sink).allSatisfy { $0 == 0 })
        speaker.clock.isKnown.store(true, ordering: .relaxed)
        _ = speaker.run(1, sink)
        speaker.clock.isKnown.store(false, ordering: .relaxed)
        let start = speaker.frame
        #expect(speaker.run(20, sink) == TestPackets.samples(start..<start + 8820))
    }

    @Test("the next stream takes over, and the earlier one reports no more")
    func successor() throws {
        let speaker = try Speaker()
        let first = speaker.speaker.makeSink()
        Self.feed(first, 0..<200)
        _ = speaker.run(1, first)
        first.play(along: speaker.anchor(0, at: 0), on: Self.clock)
        _ = speaker.run(10, first)
        let second = speaker.speaker.makeSink()
        #expect(first.room == 0)
        Self.feed(second, 0..<200, seed: 4)
        second.play(along: speaker.anchor(0, at: speaker.frame + 882), on: Self.clock)
        first.play(along: speaker.anchor(0, at: 0), on: Self.clock)
        first.pause()
        first.setVolume(.mute)
        first.end()
        let output = speaker.run(10, second)
        #expect(Array(output[1764...]) == TestPackets.samples(0..<8 * 441, seed: 4))
    }

    @Test("a caller waiting for room is notified once")
    func waiting() async throws {
        let speaker = try Speaker()
        let size = 352 * 4 + 38
        let sink = speaker.speaker.makeSink(configuration: PlayoutConfiguration(bufferBytes: 50 * size))
        Self.feed(sink, 0..<50)
        #expect(sink.room == 0)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            sink.notify(whenRoomFor: 10 * size) { done.resume() }
            _ = speaker.run(1, sink)
            sink.play(along: speaker.anchor(0, at: 0), on: Self.clock)
            _ = speaker.run(30, sink)
        }
        #expect(sink.room >= 10 * size)
    }

    @Test("with its own threads, the first frame leaves the output on time")
    func threads() async throws {
        let (sounds, heard) = AsyncStream.makeStream(of: (Float, HostTime).self)
        let output = PacedOutput { sample, time in heard.yield((sample, time)) }
        let speaker = try SpeakerOutput(output: output, clock: ManualClock(), machine: SystemMachine())
        try speaker.start()
        let sink = speaker.makeSink()
        Self.feed(sink, 0..<200)
        let instant = SystemClock.now.advanced(by: .milliseconds(250))
        sink.play(
            along: Anchor(
                rtpTime: RTPTime(rawValue: 0), networkTime: NetworkTime(nanoseconds: instant.nanoseconds)),
            on: Self.clock)
        var sound: (Float, HostTime)?
        for await first in sounds {
            sound = first
            break
        }
        speaker.stop()
        let (sample, time) = try #require(sound)
        #expect(sample == TestPackets.samples(0..<1)[0])
        #expect(abs(time.since(instant).wholeNanoseconds) < 12_000)
    }

    @Test("volume changes on time and is exact at full scale")
    func volume() throws {
        #expect(VolumeCurve.decibels.gain(for: .full) == 1)
        #expect(VolumeCurve.decibels.gain(for: .mute) == 0)
        #expect(abs(VolumeCurve.decibels.gain(for: Volume(decibels: -20)) - 0.1) < 1e-6)
        #expect(abs(VolumeCurve.stretched(decibels: 60).gain(for: Volume(decibels: -10)) - 0.1) < 1e-6)
        #expect(VolumeCurve.fixed.gain(for: Volume(decibels: -20)) == 1)
        for curve in [VolumeCurve.decibels, .stretched(decibels: 60)] {
            #expect(curve.gain(for: Volume(decibels: -30)) == 0)
            #expect(curve.gain(for: Volume(percent: 1)) > 0)
        }
        #expect(VolumeCurve.fixed.gain(for: Volume(decibels: -30)) == 1)
        let speaker = try Speaker()
        let sink = speaker.speaker.makeSink()
        Self.feed(sink, 0..<200)
        _ = speaker.run(1, sink)
        sink.play(along: speaker.anchor(0, at: 0), on: Self.clock)
        _ = speaker.run(10, sink)
        sink.setVolume(.mute)
        let output = speaker.run(4, sink)
        #expect(output[1000...].allSatisfy { $0 == 0 })
    }
}
