import CoreMedia
import Synchronization
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("An hour of random calls")
struct RandomCallsTests {
    /// Coarse packets, so that an hour is quick to pack.
    static let rate = SampleRate(hertz: 8000) ?? .hz44100

    let clock = ManualClock()
    let output = ScriptedPacketOutput(deviceRate: RandomCallsTests.rate)
    let route: PacketRoute
    let queue: RenderQueue
    let timeline: PlaybackTimeline
    let flushed = Recorder<[Double]>([])

    init() {
        route = PacketRoute(output: output, policy: WireFormatPolicy(), depth: .local, clock: clock)
        queue = RenderQueue(route: route)
        timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        _ = timeline.add(queue)
        let clock = clock
        output.answerStarts { clock.now }
        var events = RenderQueue.Events()
        let flushed = flushed
        events.automaticallyFlushed = { time, done in
            flushed.update { $0.append(time.seconds) }
            done()
        }
        queue.setEvents(events)
    }

    private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 8000) }

    private func enqueue(at start: Double, seconds: Double) throws {
        let format = PCMFormat(sampleRate: Self.rate, channelCount: 2, sampleFormat: .int16)
        let silence = PCMBuffer(format: format, silentFrameCount: Int(seconds * 8000))
        queue.enqueue(try Buffers.pcm(silence, at: time(start)))
    }

    @Test(
        "an hour of random calls ends in a state that satisfies the rules", arguments: [1, 2, 3] as [UInt64])
    func hour(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var model = PlaybackModel()
        while model.now < 1200 {
            try await step(&model, &random)
            await route.settle()
            let apart = timeline.currentTime.seconds - model.time
            #expect(abs(apart) < 1e-3, "at \(model.now) s the time is \(apart) s off")
            #expect(Double(timeline.rate) == model.rate)
            #expect(queue.isReadyForMoreData == model.isReady())
            #expect(flushed.value.count == model.flushes.count)
            guard abs(apart) < 1e-3 else { return }
        }
        for (told, wanted) in zip(flushed.value, model.flushes) { #expect(abs(told - wanted) < 1e-3) }
        #expect(!model.flushes.isEmpty)
    }

    private func step(_ model: inout PlaybackModel, _ random: inout SeededGenerator) async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40:
            let gap = Int.random(in: 0..<10, using: &random) == 0 ? 0.5 : 0
            let (start, seconds) = (
                (model.end ?? model.time) + gap, Double.random(in: 1...8, using: &random) / 4
            )
            let length = (seconds * 8000).rounded() / 8000
            let place = (start * 8000).rounded() / 8000
            if model.isUnclear(at: nil, end: place + length) { return }
            try enqueue(at: place, seconds: length)
            model.enqueue(place, seconds: length)
        case 40..<75:
            let milliseconds = Int.random(in: 1...1500, using: &random)
            clock.advance(by: .milliseconds(milliseconds))
            model.now += Double(milliseconds) / 1000
        case 75..<79:
            queue.flush()
            model.flush()
        case 79..<87:
            let wanted = ((model.time + Double.random(in: -1...5, using: &random)) * 8000).rounded() / 8000
            // Within rounding of the margin, both answers are right.
            guard abs(abs(wanted - model.time) - PlaybackModel.margin) > 0.01, abs(wanted - model.time) > 0.01
            else { return }
            let isDone = await queue.flush(from: time(wanted))
            #expect(isDone == model.flush(from: wanted), "flush from \(wanted) at \(model.time)")
        case 87..<96:
            let rate = ([0, 0, 1, 1, 1, 2, 0.5] as [Double]).randomElement(using: &random) ?? 1
            if model.isUnclear(at: model.time, end: model.end) { return }
            timeline.setRate(Float(rate), time: .invalid, hostTime: nil)
            model.setRate(rate, time: nil)
        case 96..<98:
            let (rate, place) = (
                ([0, 1, 1, 2] as [Double]).randomElement(using: &random) ?? 1,
                Double(Int.random(in: 0...500, using: &random))
            )
            queue.flush()
            model.flush()
            timeline.setRate(Float(rate), time: time(place), hostTime: nil)
            model.setRate(rate, time: place)
        default:
            timeline.delaysRateChangeUntilHasSufficientMediaData.toggle()
            model.delays.toggle()
        }
    }
}
