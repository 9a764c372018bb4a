// Plays a tone of ten seconds on one speaker: PlayTone IP-ADDRESS
import AVFoundation
import Playback
import Tones

@main
struct PlayTone {
    static func main() async {
        // Select the route first: a renderer keeps the one that is current when it is made.
        guard Speaker.selectFromArguments() else { return }
        let troubles = Task { await Speaker.printTroubles() }

        let renderer = AVSampleBufferAudioRenderer()
        let synchronizer = AVSampleBufferRenderSynchronizer()
        synchronizer.addRenderer(renderer)

        let tone = Tone(hertz: 440, from: 0, to: 10)
        let queue = DispatchQueue(label: "feeding")
        renderer.requestMediaDataWhenReady(on: queue) {
            while renderer.isReadyForMoreMediaData {
                guard let buffer = try? tone.nextBuffer() else { return renderer.stopRequestingMediaData() }
                renderer.enqueue(buffer)
            }
        }

        // Requests rate 1; the clock starts once the speaker is filled and ready.
        synchronizer.rate = 1
        await synchronizer.reach(CMTime(seconds: 5, preferredTimescale: 1000))
        let ahead = await RouteCatalogue.shared.depths().first?.secondsAhead ?? 0
        print("5 s heard, the speaker holds \(Int(ahead)) s more")
        await synchronizer.reach(CMTime(seconds: 10, preferredTimescale: 1000))

        troubles.cancel()
        await RouteCatalogue.shared.deselect()
    }
}
