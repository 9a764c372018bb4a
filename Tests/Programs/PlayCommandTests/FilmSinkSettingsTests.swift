import AVFoundation
import Synchronization
import Testing

@testable import TuttiPlayCommand

@Suite("The way of a layer's settings to a film's window")
struct FilmSinkSettingsTests {
    private final class Window: TuttiVideoFrameSink {
        let gravities = Mutex<[AVLayerVideoGravity]>([])
        let awake = Mutex<[Bool]>([])
        func show(_ frame: CMSampleBuffer) {}
        func removeImage() {}
        func setVideoGravity(_ gravity: AVLayerVideoGravity) { gravities.withLock { $0.append(gravity) } }
        func setKeepsDisplayAwake(_ keepsAwake: Bool) { awake.withLock { $0.append(keepsAwake) } }
    }

    @Test("the window gets the last settings of those before it opened, then each that follows")
    func kept() {
        let (sink, window) = (FilmSink(), Window())
        sink.setVideoGravity(.resize)
        sink.setVideoGravity(.resizeAspectFill)
        sink.setKeepsDisplayAwake(false)
        sink.attach(window)
        #expect(window.gravities.withLock { $0 } == [.resizeAspectFill])
        #expect(window.awake.withLock { $0 } == [false])
        sink.setVideoGravity(.resizeAspect)
        sink.setKeepsDisplayAwake(true)
        #expect(window.gravities.withLock { $0 } == [.resizeAspectFill, .resizeAspect])
        #expect(window.awake.withLock { $0 } == [false, true])
    }

    @Test("a window keeps its own gravity where none was set")
    func none() {
        let (sink, window) = (FilmSink(), Window())
        sink.attach(window)
        #expect(window.gravities.withLock { $0 }.isEmpty && window.awake.withLock { $0 }.isEmpty)
    }
}
