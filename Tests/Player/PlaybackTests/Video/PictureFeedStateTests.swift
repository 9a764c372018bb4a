import CoreMedia
import Testing
import TuttiCodecs

@testable import Playback

@Suite("PictureFeedState")
struct PictureFeedStateTests {
    private typealias State = PictureFeedState<Int>

    private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 90_000) }

    /// The picture of a film of 25 pictures a second.
    private func picture(_ number: Int, byteCount: Int = 1000) -> PictureWindow<Int>.Entry {
        PictureWindow<Int>.Entry(
            image: number, time: time(Double(number) / 25), end: time(Double(number + 1) / 25),
            byteCount: byteCount)
    }

    /// A state that has reached its target and holds pictures.
    private func state(at number: Int, holding numbers: Range<Int>) -> State {
        var state = State(at: time(Double(number) / 25))
        state.didSeek(to: time(Double(number) / 25))
        for number in numbers { #expect(take(number, in: &state) == .taken) }
        return state
    }

    private func take(
        _ number: Int, in state: inout State, mayRetry: Bool = true, playhead: CMTime? = nil,
        tolerance: CMTime = .zero
    ) -> State.Outcome {
        state.take(
            picture(number), tolerance: tolerance, mayRetry: mayRetry, isFilmStart: number == 0,
            playhead: playhead)
    }

    @Test("A new state seeks to the playhead first, then decodes")
    func beginning() {
        var state = State(at: time(4))
        #expect(state.next == .seek(time(4)))
        state.didSeek(to: time(4))
        #expect(state.next == .decode)
    }

    @Test("A film of a million pictures a second is decoded ahead by a fixed number of them")
    func most() {
        var state = State(at: .zero)
        state.didSeek(to: .zero)
        var number = 0
        while state.next == .decode, number < 1000 {
            let time = CMTime(value: Int64(number), timescale: 1_000_000)
            let entry = PictureWindow<Int>.Entry(
                image: number, time: time, end: CMTime(value: Int64(number) + 1, timescale: 1_000_000),
                byteCount: 10)
            _ = state.take(entry, tolerance: .zero, mayRetry: true, isFilmStart: number == 0, playhead: nil)
            number += 1
        }
        #expect(state.window.count == State.most && state.next == .rest)
        _ = state.ask(at: CMTime(value: 100, timescale: 1_000_000))
        #expect(state.next == .decode)
    }

    @Test("A seek shows the last picture that begins by the target, not those before it")
    func exactSeek() {
        var state = state(at: 100, holding: 90..<100)
        #expect(state.ask(at: time(4)) == nil)
        #expect(take(100, in: &state) == .taken)
        #expect(state.ask(at: time(4)) == nil)
        #expect(take(101, in: &state) == .taken)
        #expect(state.ask(at: time(4))?.image == 100)
        #expect(state.window.start == time(4))
    }

    @Test("Two users of the pictures, one 0.1 s behind the other at twice the rate, seek once at most")
    func twoUsers() {
        var state = state(at: 100, holding: 100..<100)
        state.rate = 2
        _ = take(100, in: &state)
        var (number, seeks) = (101, 0)
        for step in 0..<100 {
            for ahead in [0.1, 0] {
                let asked = time(4 + Double(step) * 2 / 60 + ahead)
                let picture = state.ask(at: asked)
                if step > 5 { #expect(picture?.image == Int(asked.seconds * 25 + 0.01)) }
                if case .seek(let target) = state.next {
                    seeks += 1
                    state.didSeek(to: target)
                    number = Int(target.seconds * 25)
                }
                while state.next == .decode {
                    _ = take(number, in: &state)
                    number += 1
                }
            }
        }
        #expect(seeks <= 1 && state.window.count < 25)
    }

    @Test("Pictures behind are kept only while their memory is small", arguments: [(1000, 3), (20 << 20, 4)])
    func memoryOfTwoUsers(byteCount: Int, first: Int) {
        var state = State(at: .zero)
        state.didSeek(to: .zero)
        for number in 0..<6 {
            _ = state.take(
                picture(number, byteCount: byteCount), tolerance: .zero, mayRetry: true,
                isFilmStart: number == 0, playhead: nil)
        }
        for seconds in [0.18, 0.13, 0.2] { _ = state.ask(at: time(seconds)) }
        #expect(state.lag == time(0.05) && state.window.start == time(Double(first) / 25))
    }

    @Test("A target between two pictures shows the earlier one")
    func between() {
        var state = State(at: time(4.03))
        state.didSeek(to: time(4.03))
        for number in 98...101 { _ = take(number, in: &state) }
        #expect(state.ask(at: time(4.03))?.image == 100)
    }

    @Test("A picture stored a little late, in coarse units, counts for the target")
    func tolerance() {
        var state = State(at: time(3.9995))
        state.didSeek(to: time(3.9995))
        for number in 99...101 { _ = take(number, in: &state, tolerance: time(0.001)) }
        #expect(state.window.start == time(4))
    }

    @Test("A first picture after the target asks for an earlier beginning, unless there is none")
    func missed() {
        var state = state(at: 100, holding: 0..<0)
        #expect(take(103, in: &state) == .missed)
        #expect(state.next == .decode)
        #expect(take(103, in: &state, mayRetry: false) == .taken)
        #expect(state.window.start == time(103 / 25.0))
    }

    @Test("The film's end ends a seek with the last picture")
    func endOfFilm() {
        var state = state(at: 100, holding: 80..<84)
        state.end()
        #expect(state.next == .rest)
        #expect(state.ask(at: time(4))?.image == 83)
    }

    @Test("Decoding rests 0.3 s ahead of the playhead, and goes on as the playhead moves")
    func depth() {
        var state = state(at: 0, holding: 0..<7)
        #expect(state.next == .decode)
        _ = take(7, in: &state)
        #expect(state.next == .rest)
        _ = state.ask(at: time(0.1))
        #expect(state.next == .decode)
    }

    @Test("Twice the rate reads twice as far ahead")
    func depthAtRate() {
        var state = state(at: 0, holding: 0..<8)
        state.rate = 2
        #expect(state.next == .decode)
    }

    @Test("Memory bounds the depth, but for the fewest pictures")
    func memory() {
        var state = State(at: .zero)
        state.didSeek(to: .zero)
        for number in 0..<3 {
            #expect(state.next == .decode)
            let entry = PictureWindow<Int>.Entry(
                image: number, time: time(Double(number) / 25), end: time(Double(number + 1) / 25),
                byteCount: 60 << 20)
            _ = state.take(entry, tolerance: .zero, mayRetry: false, isFilmStart: number == 0, playhead: nil)
        }
        #expect(state.next == .rest)
    }

    @Test("Pictures before the shown one leave, except one")
    func dropping() {
        var state = state(at: 0, holding: 0..<8)
        _ = state.ask(at: time(0.2))
        #expect(state.window.start == time(4 / 25.0))
    }

    @Test("A jump inside the pictures at hand seeks nothing")
    func shortJump() {
        var state = state(at: 0, holding: 0..<8)
        state.jump(to: time(0.2))
        #expect(state.generation == 0)
        #expect(state.ask(at: time(0.2))?.image == 5)
    }

    @Test("A picture to which a seek has led from the film's first one is not shown before its time")
    func seekFromTheStart() {
        var state = state(at: 22, holding: 0..<24)
        #expect(state.ask(at: time(22 / 25.0))?.image == 22)
        state.jump(to: time(0.2))
        #expect(state.next == .seek(time(0.2)))
    }

    @Test("A seek that is given up does not mark the pictures of the next one")
    func seekGivenUp() {
        var state = state(at: 0, holding: 0..<1)
        state.seek(to: time(4))
        state.didSeek(to: time(4))
        for index in 100..<102 { _ = take(index, in: &state) }
        state.jump(to: time(2))
        #expect(state.next == .seek(time(2)))
    }

    @Test(
        "A jump beyond the pictures at hand, ahead or back, seeks",
        arguments: [(0.2, 0), (0.5, 1), (2.0, 1), (-1, 1)])
    func jumps(_ seconds: Double, _ seeks: Int) {
        var state = state(at: 100, holding: 100..<109)
        state.jump(to: time(4 + seconds))
        #expect(state.generation == seeks)
    }

    @Test("A jump during a seek goes on with it if the new place lies soon after the target")
    func jumpDuringSeek() {
        var state = state(at: 100, holding: 90..<95)
        state.jump(to: time(4.02))
        #expect(state.target == time(4))
        state.jump(to: time(3.9))
        #expect(state.next == .seek(time(3.9)))
    }

    @Test("An older playhead than the pictures at hand seeks back, unless they begin the film")
    func askingBack() {
        var state = state(at: 100, holding: 100..<109)
        #expect(state.ask(at: time(2)) == nil)
        #expect(state.next == .seek(time(2)))
        var first = self.state(at: 0, holding: 0..<3)
        #expect(first.ask(at: time(-1))?.image == 0)
    }

    @Test("Pictures whose time has passed are counted while the playhead runs")
    func late() {
        var state = state(at: 0, holding: 0..<2)
        _ = take(2, in: &state, playhead: time(0.5))
        _ = take(3, in: &state, playhead: time(0.1))
        _ = take(4, in: &state)
        #expect(state.lateCount == 1)
    }

    @Test("A slow decoder leaves out pictures step by step, and catches up before it decodes all again")
    func skipping() {
        let state = state(at: 0, holding: 0..<25)
        #expect(state.skipping(playhead: time(0.5), now: .nothing) == .nothing)
        #expect(state.skipping(playhead: time(1.2), now: .nothing) == .disposable)
        #expect(state.skipping(playhead: time(2.5), now: .disposable) == .allButKeys)
        #expect(state.skipping(playhead: time(1.2), now: .allButKeys) == .allButKeys)
        #expect(state.skipping(playhead: time(1), now: .allButKeys) == .allButKeys)
        #expect(state.skipping(playhead: time(0.8), now: .allButKeys) == .nothing)
    }

    /// The decision for a packet of a film whose pictures end at 1 s, at a playhead.
    private func decide(
        _ state: inout State, at seconds: Double, isKey: Bool, playhead: Double, now: VideoDecoder.Skipping
    ) -> State.Decision {
        state.decide(
            at: time(seconds), isKey: isKey, duration: time(0.04), playhead: time(playhead), now: now)
    }

    @Test("A decoder that is far behind decodes all again from the first key picture ahead of the playhead")
    func resumingAtKey() {
        var state = state(at: 0, holding: 0..<25)
        let keys = State.Decision(skipping: .allButKeys)
        #expect(decide(&state, at: 1.04, isKey: false, playhead: 2.3, now: .nothing) == keys)
        #expect(decide(&state, at: 1.2, isKey: true, playhead: 2.3, now: .allButKeys) == keys)
        #expect(decide(&state, at: 9.96, isKey: false, playhead: 2.3, now: .allButKeys) == keys)
        #expect(
            decide(&state, at: 10, isKey: true, playhead: 2.3, now: .allButKeys)
                == State.Decision(skipping: .nothing, isFreshStart: true))
        // The key picture is still inside the decoder.
        #expect(
            decide(&state, at: 10.04, isKey: false, playhead: 2.31, now: .nothing)
                == State.Decision(skipping: .nothing))
        #expect(decide(&state, at: 10.08, isKey: false, playhead: 11.1, now: .nothing) == keys)
    }

    @Test("A key picture that is hardly late is not left alone until the next one")
    func resumingAtLateKey() {
        var state = state(at: 0, holding: 0..<25)
        #expect(
            decide(&state, at: 2.25, isKey: true, playhead: 2.3, now: .allButKeys)
                == State.Decision(skipping: .disposable, isFreshStart: true))
        state = self.state(at: 0, holding: 0..<25)
        #expect(
            decide(&state, at: 1.8, isKey: true, playhead: 2.3, now: .allButKeys)
                == State.Decision(skipping: .allButKeys))
    }

    @Test("A seek forgets the key pictures before it")
    func keyBeforeSeek() {
        var state = state(at: 0, holding: 0..<25)
        _ = decide(&state, at: 10, isKey: true, playhead: 0.5, now: .nothing)
        state.seek(to: .zero)
        state.didSeek(to: .zero)
        for number in 0..<25 { _ = take(number, in: &state) }
        #expect(state.skipping(playhead: time(2.5), now: .nothing) == .allButKeys)
    }

    @Test("Only pictures that end before a seek's target may be left out")
    func beforeTarget() {
        let state = state(at: 100, holding: 0..<0)
        #expect(state.endsBeforeTarget(time(3.9), duration: time(0.04)))
        #expect(!state.endsBeforeTarget(time(3.94), duration: time(0.04)))
    }
}
