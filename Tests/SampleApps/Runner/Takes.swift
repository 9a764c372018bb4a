import AVFoundation
import Synchronization

/// Files on one timeline: each `prepare` continues with the next one, the last one repeats. The audio tells which
/// call it came from.
final class Takes: SampleSource {
    private struct State {
        var files: [AssetSource]
        var takeCount = 0
    }

    private let state: Mutex<State>

    init(_ urls: [URL]) async throws {
        var files: [AssetSource] = []
        for url in urls {
            let file = AssetSource(url: url)
            _ = try await file.load()
            files.append(file)
        }
        state = Mutex(State(files: files))
    }

    func prepare(at time: CMTime) {
        state.withLock { state in
            let index = min(state.takeCount, state.files.count - 1)
            state.takeCount += 1
            state.files[index].prepare(at: time)
        }
        report("prepared", ["time": time.seconds])
    }

    func nextSampleBuffer() -> CMSampleBuffer? {
        state.withLock { state in
            guard state.takeCount > 0 else { return nil }
            return state.files[min(state.takeCount, state.files.count) - 1].nextSampleBuffer()
        }
    }
}
