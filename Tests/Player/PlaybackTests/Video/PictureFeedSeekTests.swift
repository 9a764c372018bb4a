import CoreMedia
import Testing
import TuttiCodecs
import TuttiSystemIO
import TuttiTestMedia

@testable import Playback

@Suite("Seeking in a feed of pictures", .timeLimit(.minutes(1)))
struct PictureFeedSeekTests {
    /// Returns the picture that the feed gives for a time, after the feed has told of enough changes.
    private func picture(_ feed: PictureFeed, at time: CMTime) async -> PictureFeed.Picture? {
        let (changes, continuation) = AsyncStream<Void>.makeStream()
        let key = feed.add { continuation.yield() }
        defer { feed.remove(key) }
        if let picture = feed.picture(at: time) { return picture }
        var count = 0
        for await _ in changes {
            if let picture = feed.picture(at: time) { return picture }
            count += 1
            if count > 2000 { break }
        }
        return nil
    }

    @Test("every place of a film shows its picture, in any order", arguments: FilmFile.kinds.map(\.name))
    func places(name: String) async throws {
        let path = try FilmFile.path(name)
        let film = try VideoReader(path)
        let zero = CMTime(
            value: film.startTime * Int64(film.unitNumerator), timescale: film.unitDenominator)
        let timebase = CMTimebase(sourceClock: .hostTimeClock)
        let feed = PictureFeed(
            PictureFeed.Source(path: path, engine: .shared, zero: zero), timebase: timebase,
            machine: SystemMachine())
        defer { feed.close() }
        let reading = FilmReading()
        for index in [0, 30, 12, 11, 59, 1, 47, 58, 23] {
            let time = CMTime(seconds: (Double(index) + 0.4) / 25, preferredTimescale: 90_000)
            try timebase.setTime(time)
            let picture = try #require(await picture(feed, at: time), "picture \(index)")
            #expect(try reading.number(of: picture.image) == index)
        }
        #expect(feed.state.error == nil)
    }

    /// A wake-up that notes its calls, to be made by a test.
    private final class NotedWakeUp: WakeUp {
        private let calls: AsyncStream<@Sendable () -> Void>.Continuation
        let stream: AsyncStream<@Sendable () -> Void>

        init() { (stream, calls) = AsyncStream.makeStream() }

        func set(after delay: Duration, _ body: @escaping @Sendable () -> Void) { calls.yield(body) }
        func cancel() {}
    }

    @Test("a film whose server is gone is tried again and again, though nobody asks for a picture")
    func serverIsGone() async throws {
        let wakeUp = NotedWakeUp()
        let feed = PictureFeed(
            PictureFeed.Source(path: "http://127.0.0.1:1/film.mp4", engine: .shared),
            timebase: CMTimebase(sourceClock: .hostTimeClock), retry: wakeUp, machine: SystemMachine())
        defer { feed.close() }
        _ = feed.add {}
        var attempts = wakeUp.stream.makeAsyncIterator()
        for _ in 0..<3 {
            let tryAgain = try #require(await attempts.next())
            #expect(feed.state.error?.mayPass == true)
            tryAgain()
        }
    }
}
