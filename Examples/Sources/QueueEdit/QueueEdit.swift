// Replaces the next tone while it is already in the speaker: QueueEdit IP-ADDRESS
//
// A low tone, then a high one, are queued and sent. While the low one plays, the high one is withdrawn and
// another takes its place. The speaker plays on without a gap, and the high tone is never heard.
import AVFoundation
import Playback
import Tones

@main
struct QueueEdit {
    static func main() async {
        guard Speaker.selectFromArguments() else { return }
        let troubles = Task { await Speaker.printTroubles() }

        let renderer = AVSampleBufferAudioRenderer()
        let synchronizer = AVSampleBufferRenderSynchronizer()
        synchronizer.addRenderer(renderer)
        let queue = DispatchQueue(label: "feeding")

        feed(
            [Tone(hertz: 220, from: 0, to: 10), Tone(hertz: 880, from: 10, to: 15)], to: renderer, on: queue)
        synchronizer.rate = 1
        await synchronizer.reach(seconds(4))

        // Withdraw everything from 10 s on. True: it is gone, and its time is free.
        if await renderer.flush(fromSourceTime: seconds(10)) {
            print("at \(synchronizer.currentTime().seconds) s: the second tone is replaced")
            feed([Tone(hertz: 330, from: 10, to: 15)], to: renderer, on: queue)
        } else {
            print("too late: the second tone is heard as it was")
        }
        await synchronizer.reach(seconds(15))

        troubles.cancel()
        await RouteCatalogue.shared.deselect()
    }

    private static func seconds(_ seconds: Int) -> CMTime {
        CMTime(value: CMTimeValue(seconds), timescale: 1)
    }

    /// Enqueues the tones in order, as fast as the route accepts them.
    private static func feed(
        _ tones: [Tone], to renderer: AVSampleBufferAudioRenderer, on queue: DispatchQueue
    ) {
        renderer.requestMediaDataWhenReady(on: queue) {
            while renderer.isReadyForMoreMediaData {
                guard let buffer = nextBuffer(of: tones) else { return renderer.stopRequestingMediaData() }
                renderer.enqueue(buffer)
            }
        }
    }

    private static func nextBuffer(of tones: [Tone]) -> CMSampleBuffer? {
        for tone in tones {
            if let buffer = try? tone.nextBuffer() { return buffer }
        }
        return nil
    }
}
