import Testing
import TuttiMediaTime

@testable import tutti

@Suite("The slider of a desktop's output")
struct SliderVolumeTests {
    private let start = HostTime(nanoseconds: 5_000_000_000)

    @Test("a server's memory does not stay on the slider, from which a step would bring the rooms there")
    func memory() {
        var slider = SliderVolume()
        slider.set(40)
        #expect(slider.take(100, isMuted: false, at: start) == .none, "the output is not there yet")
        slider.didBegin(at: start)
        let early = start.advanced(by: .milliseconds(300))
        #expect(slider.take(100, isMuted: false, at: early) == .correction(40))
        #expect(slider.take(40.2, isMuted: false, at: early) == .none)
        #expect(slider.percent == 40)
    }

    @Test("later, a user moves it; a mute moves no volume")
    func wish() {
        var slider = SliderVolume()
        slider.set(40)
        slider.didBegin(at: start)
        let later = start.advanced(by: .milliseconds(1100))
        #expect(slider.take(45, isMuted: false, at: later) == .wish(45))
        #expect(slider.take(45, isMuted: true, at: later) == .none)
        #expect(slider.isMuted && slider.percent == 45)
        #expect(slider.take(380, isMuted: false, at: later) == .wish(100))
    }

    @Test("another server's memory is no wish either, and a slider without a volume reports none")
    func servers() {
        var slider = SliderVolume()
        slider.didBegin(at: start)
        let later = start.advanced(by: .seconds(5))
        #expect(slider.take(70, isMuted: false, at: later) == .none && slider.percent == nil)
        slider.set(30)
        slider.didEnd()
        #expect(slider.take(90, isMuted: false, at: later) == .none)
        slider.didBegin(at: later)
        #expect(slider.take(90, isMuted: false, at: later) == .correction(30))
    }
}
