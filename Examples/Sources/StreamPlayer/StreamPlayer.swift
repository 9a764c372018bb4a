// Plays a file the way stream players on Apple's platforms do, on the local output: StreamPlayer FILE
//
// Bytes, as if from a network -> AudioFileStream -> packets -> AudioConverter -> PCM -> CMSampleBuffer -> renderer.
import AudioToolbox
import AVFoundation

@main
struct StreamPlayer {
    static func main() async throws {
        guard let path = CommandLine.arguments.dropFirst().first,
            let file = FileHandle(forReadingAtPath: path)
        else { return print("usage: StreamPlayer FILE") }
        let decoder = StreamDecoder()
        // Pieces as from a network, with no regard to packets.
        while let piece = try file.read(upToCount: 3000), !piece.isEmpty {
            guard decoder.parse(piece) == noErr else { return print("not a stream of sound") }
        }
        let renderer = AVSampleBufferAudioRenderer()
        let synchronizer = AVSampleBufferRenderSynchronizer()
        synchronizer.addRenderer(renderer)
        let queue = DispatchQueue(label: "decoder")
        let end: CMTime = await withCheckedContinuation { continuation in
            let feeder = Feeder(decoder, continuation)
            renderer.requestMediaDataWhenReady(on: queue) {
                while renderer.isReadyForMoreMediaData {
                    guard let buffer = feeder.next() else {
                        renderer.stopRequestingMediaData()
                        return feeder.end()
                    }
                    renderer.enqueue(buffer)
                }
            }
            synchronizer.setRate(1, time: .zero)
        }
        let (heard, hear) = AsyncStream<Void>.makeStream()
        let token = synchronizer.addBoundaryTimeObserver(forTimes: [NSValue(time: end)], queue: queue) {
            hear.finish()
        }
        for await _ in heard {}
        synchronizer.removeTimeObserver(token)
        print("played \(end.seconds) s")
    }
}

/// Decodes on the renderer's queue, and reports the end of the audio once.
final class Feeder: @unchecked Sendable {
    // Safe to share: only used on the queue of the renderer's requests.
    private let decoder: StreamDecoder
    private var continuation: CheckedContinuation<CMTime, Never>?
    private var position = CMTime.zero

    init(_ decoder: StreamDecoder, _ continuation: CheckedContinuation<CMTime, Never>) {
        self.decoder = decoder
        self.continuation = continuation
    }

    func next() -> CMSampleBuffer? {
        guard let buffer = decoder.nextSampleBuffer(at: position) else { return nil }
        position = position + buffer.duration
        return buffer
    }

    func end() {
        continuation?.resume(returning: position)
        continuation = nil
    }
}
