import AVFoundation
import Synchronization
import Testing
import TuttiCodecs
import TuttiPCM
import TuttiTestMedia

@Suite("The sample programs read files")
struct FileSampleTests {
    static let frameCount = 100_000
    static let names = ["a.wav", "a.flac", "alac.m4a", "aac.m4a", "cbr.mp3", "aac.aac"]
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func url(_ name: String) throws -> URL {
        var file = MediaFile.kind(name)
        if name != "aac.aac" { file.tags = [("title", "Sweep")] }
        try file.write(Signal.sweep(frameCount: Self.frameCount), to: folder.file(name))
        return URL(fileURLWithPath: folder.file(name))
    }

    private func buffers(_ source: SampleSource) -> [CMSampleBuffer] {
        var buffers: [CMSampleBuffer] = []
        while let buffer = source.nextSampleBuffer() { buffers.append(buffer) }
        return buffers
    }

    @Test(
        "the asset source delivers the file's packets; their audible part is the file's audio",
        arguments: names)
    func whole(name: String) async throws {
        let source = AssetSource(url: try url(name))
        let duration = try await source.load()
        let expected = try DecodedRun(path: folder.file(name)).buffer
        if name != "aac.aac" { #expect(duration == CMTime(value: 100_000, timescale: 44_100)) }
        source.prepare(at: .zero)
        let buffers = buffers(source)
        let heard = try HeardSound(buffers)
        #expect(heard.start == .zero)
        #expect(heard.holeCount == 0)
        #expect(heard.buffer == expected)
        let isPCM = name == "a.wav"
        let format = buffers.first?.formatDescription?.audioStreamBasicDescription?.mFormatID
        #expect((format == kAudioFormatLinearPCM) == isPCM)
    }

    @Test("a seek in the asset source delivers exactly the rest", arguments: names)
    func from(name: String) async throws {
        let source = AssetSource(url: try url(name))
        _ = try await source.load()
        let expected = try DecodedRun(path: folder.file(name)).buffer
        for frame in [44_100, 1, 99_999, 60_001] {
            source.prepare(at: CMTime(value: Int64(frame), timescale: 44_100))
            let heard = try HeardSound(buffers(source))
            #expect(heard.start == CMTime(value: Int64(frame), timescale: 44_100))
            let rest = expected[frame..<expected.frameCount]
            let sound = try #require(heard.buffer)
            #expect(
                Signal.distance(sound, rest) <= (name.contains("aac") || name == "cbr.mp3" ? 1 / 32_768 : 0))
        }
    }

    @Test("a file without audio has no track")
    func silent() async throws {
        let source = AssetSource(url: URL(fileURLWithPath: try folder.write([1, 2, 3], to: "x.wav")))
        await #expect(throws: AVError.self) { try await source.load() }
        source.prepare(at: .zero)
        #expect(source.nextSampleBuffer() == nil)
    }
}

/// A file's source that tells when it has been asked for more than it has.
private final class WatchedSource: SampleSource, @unchecked Sendable {
    // Safe to share: the queue asks on its own serial queue only; the rest is immutable.
    private let source: AssetSource
    private let onEnd: @Sendable () -> Void

    init(_ source: AssetSource, onEnd: @escaping @Sendable () -> Void) {
        (self.source, self.onEnd) = (source, onEnd)
        source.prepare(at: .zero)
    }

    func prepare(at time: CMTime) { source.prepare(at: time) }

    func nextSampleBuffer() -> CMSampleBuffer? {
        if let buffer = source.nextSampleBuffer() { return buffer }
        onEnd()
        return nil
    }
}

@Suite("The sample play queue plays files")
struct PlayQueueSampleTests {
    /// Notes of what the queue did; a test awaits a number of them.
    private final class Story: Sendable {
        private let state = Mutex((notes: [String](), waiting: [(Int, CheckedContinuation<Void, Never>)]()))

        var notes: [String] { state.withLock { $0.notes } }

        func note(_ text: String) {
            let ready = state.withLock { state in
                state.notes.append(text)
                let count = state.notes.count
                defer { state.waiting.removeAll { $0.0 <= count } }
                return state.waiting.filter { $0.0 <= count }
            }
            for waiter in ready { waiter.1.resume() }
        }

        func reached(_ count: Int) async {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.notes.count < count { state.waiting.append((count, continuation)) }
                    return state.notes.count >= count
                }
                if isThere { continuation.resume() }
            }
        }
    }

    private func entry(_ id: Int, in folder: TestFolder, story: Story) async throws -> QueueEntry {
        let path = folder.file("\(id).flac")
        try MediaFile.kind("a.flac").write(Signal.sweep(frameCount: 44_100), to: path)
        let url = URL(fileURLWithPath: path)
        let duration = try await AssetSource(url: url).load()
        let source = AssetSource(url: url)
        _ = try await source.load()
        return QueueEntry(id: id, duration: duration) {
            story.note("begin \(id)")
            return WatchedSource(source) { story.note("end \(id)") }
        }
    }

    @Test("files play in turn, and the rest after one was removed")
    func edited() async throws {
        let folder = try TestFolder()
        let story = Story()
        var entries: [QueueEntry] = []
        for id in 1...3 { entries.append(try await entry(id, in: folder, story: story)) }
        let queue = PlayQueue()
        queue.play(entries)
        await story.reached(6)
        #expect(story.notes == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
        // Two was fed already: three is fed anew in its place.
        queue.remove(id: 2)
        await story.reached(8)
        #expect(story.notes.suffix(2) == ["begin 3", "end 3"])
        queue.remove(id: 99)
    }
}
