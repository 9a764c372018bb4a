// Plays a tone of three seconds on the default output and prints a model that observes it: WatchTone
import AVFoundation
import Tones

@main
struct WatchTone {
    static func main() async {
        let renderer = AVSampleBufferAudioRenderer()
        let synchronizer = AVSampleBufferRenderSynchronizer()
        synchronizer.addRenderer(renderer)
        let model = PlayerModel(renderer: renderer, synchronizer: synchronizer)

        let tone = Tone(hertz: 440, from: 0, to: 3)
        renderer.requestMediaDataWhenReady(on: DispatchQueue(label: "feeding")) {
            while renderer.isReadyForMoreMediaData {
                guard let buffer = try? tone.nextBuffer() else { return renderer.stopRequestingMediaData() }
                renderer.enqueue(buffer)
            }
        }

        model.togglePlayback(nil)
        for second in 1...3 {
            await synchronizer.reach(CMTime(value: CMTimeValue(second), timescale: 1))
            print("rendering: \(model.isRendering), heard: \(model.secondsHeard) s")
        }
    }
}
