import Dispatch
import Foundation
import Playback
import Testing

@testable import AVFoundation

@Suite("The display layer")
struct AVSampleBufferDisplayLayerTests {
    let layer = AVSampleBufferDisplayLayer()
    let sink = NotingSink()

    init() { layer.tuttiFrameSink = sink }

    private func second(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1) }

    @Test("a new layer has unknown status, is ready, and shows no picture")
    func begins() {
        #expect(layer.status == .unknown)
        #expect(layer.error == nil)
        #expect(layer.isReadyForMoreMediaData)
        #expect(!layer.isReadyForDisplay)
        #expect(!layer.requiresFlushToResumeDecoding)
        #expect(layer.videoGravity == .resizeAspect)
        #expect(layer.preventsDisplaySleepDuringVideoPlayback)
        #expect(layer.controlTimebase == nil)
        let ahead = (layer.timebase.time - CMClockGetTime(.hostTimeClock)).seconds
        #expect(ahead <= 0 && ahead > -10)
    }

    @Test("the layer follows a synchronizer's timeline beside an audio renderer, and can be removed from it")
    func inSynchronizer() async throws {
        let synchronizer = AVSampleBufferRenderSynchronizer()
        let audio = AVSampleBufferAudioRenderer(queue: RenderQueue(route: SilentRoute()))
        synchronizer.addRenderer(layer)
        synchronizer.addRenderer(audio)
        synchronizer.addRenderer(layer)
        #expect(
            synchronizer.renderers.map { ObjectIdentifier($0) } == [
                ObjectIdentifier(layer), ObjectIdentifier(audio),
            ])
        #expect(layer.timebase === synchronizer.timebase)
        layer.enqueue(try EmptyFrame.at(10))
        layer.enqueue(try EmptyFrame.at(20))
        #expect(layer.status == .rendering)
        synchronizer.setRate(0, time: second(10))
        await sink.notes.reached(1)
        #expect(sink.notes.list == ["show 10.0"])
        // The timeline behaves as if it had started ten seconds ago.
        synchronizer.setRate(1, time: second(11), atHostTime: CMClockGetTime(.hostTimeClock) - second(10))
        await sink.notes.reached(2)
        #expect(sink.notes.list == ["show 10.0", "show 20.0"])
        #expect(await synchronizer.removeRenderer(layer, at: .invalid))
        #expect(await synchronizer.removeRenderer(layer, at: .invalid) == false)
        #expect(synchronizer.renderers.count == 1)
        #expect(layer.timebase !== synchronizer.timebase)
    }

    @Test("a removal at a future time is replaced by a later one")
    func removal() async {
        let synchronizer = AVSampleBufferRenderSynchronizer()
        let notes = Notes()
        synchronizer.addRenderer(layer.sampleBufferRenderer)
        synchronizer.removeRenderer(layer.sampleBufferRenderer, at: second(3600)) {
            notes.note("first \($0)")
        }
        synchronizer.removeRenderer(layer.sampleBufferRenderer, at: .zero) { notes.note("second \($0)") }
        #expect(notes.list == ["first false", "second true"])
        #expect(synchronizer.renderers.isEmpty)
    }

    @Test("the layer shows a picture from the first frame to the flush that removes it, observably")
    func picture() async throws {
        let notes = Notes()
        let observation = layer.observe(\.isReadyForDisplay, options: [.new]) { _, change in
            notes.note("\(change.newValue ?? false)")
        }
        let timebase = CMTimebase(sourceClock: .hostTimeClock)
        layer.controlTimebase = timebase
        #expect(layer.timebase === timebase)
        layer.enqueue(try EmptyFrame.at(0))
        await notes.reached(1)
        #expect(layer.isReadyForDisplay)
        layer.flushAndRemoveImage()
        await sink.notes.reached(2)
        observation.invalidate()
        #expect(notes.list == ["true", "false"])
        #expect(sink.notes.list == ["show 0.0", "remove"])
    }

    @Test("the layer posts its own failure")
    func failure() throws {
        let notes = Notes()
        let token = NotificationCenter.default.addObserver(
            forName: .AVSampleBufferDisplayLayerFailedToDecode, object: layer, queue: nil
        ) { note in
            notes.note(
                "\(note.userInfo?[AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey] is AVError)")
        }
        defer { NotificationCenter.default.removeObserver(token) }
        layer.enqueue(
            try CMSampleBuffer(
                dataBuffer: nil, dataReady: false, formatDescription: nil, numSamples: 0, sampleTimings: [],
                sampleSizes: []
            ) { _ in throw CocoaError(.fileReadCorruptFile) })
        #expect(notes.list == ["true"])
        #expect(layer.status == .failed)
    }
}

@Suite("Layers")
struct CALayerTests {
    @Test("frame, bounds and position stay consistent")
    func geometry() {
        let layer = CALayer()
        layer.frame = CGRect(x: 10, y: 20, width: 100, height: 50)
        #expect(layer.bounds == CGRect(x: 0, y: 0, width: 100, height: 50))
        #expect(layer.position == CGPoint(x: 60, y: 45))
        layer.anchorPoint = .zero
        #expect(layer.frame.origin == CGPoint(x: 60, y: 45))
        layer.bounds = CGRect(x: 5, y: 5, width: 10, height: 10)
        #expect(layer.frame == CGRect(x: 60, y: 45, width: 10, height: 10))
        layer.frame = .zero
        #expect(layer.bounds.origin == CGPoint(x: 5, y: 5))
    }

    @Test("layers are visible by default")
    func appearance() {
        let layer = CALayer()
        #expect(layer.opacity == 1)
        #expect(!layer.isHidden)
        #expect(layer.sublayers == nil)
        #expect(layer.superlayer == nil)
    }

    @Test("a layer has one superlayer at a time")
    func tree() {
        let (root, other, first, second) = (CALayer(), CALayer(), CALayer(), CALayer())
        root.addSublayer(first)
        root.addSublayer(second)
        root.insertSublayer(second, at: 0)
        #expect(root.sublayers == [second, first])
        other.addSublayer(first)
        #expect(root.sublayers == [second])
        #expect(first.superlayer === other)
        first.removeFromSuperlayer()
        first.removeFromSuperlayer()
        #expect(other.sublayers == nil)
        #expect(first.superlayer == nil)
    }
}
