import AirPlaySender
import Testing

@testable import tutti

@Suite("Volumes of a sink")
struct SinkVolumesTests {
    private let targets = ["Kitchen", "Bath"].map { SpeakerTarget(name: $0, addresses: []) }

    @Test("a slider that moves while the speakers are free keeps their proportions")
    func proportions() {
        var volumes = SinkVolumes(targets, common: 60)
        volumes.note(15, of: "Bath")
        volumes.setAll(40)
        #expect(volumes.applied(to: targets).map(\.volume) == [40, 10] && volumes.common == 40)
        volumes.setAll(0)
        volumes.setAll(20)
        #expect(volumes.applied(to: targets).map(\.volume) == [20, 20])
    }

    @Test("speakers keep their own volume until one is set")
    func unknown() {
        var volumes = SinkVolumes(targets, common: nil)
        #expect(volumes.applied(to: targets).map(\.volume) == [nil, nil])
        volumes.note(30, of: "Bath")
        #expect(volumes.applied(to: targets).map(\.volume) == [nil, 30] && volumes.common == nil)
    }

    @Test("the slider shows the loudest speaker, and a low volume while none is known")
    func shown() {
        var volumes = SinkVolumes(targets, common: nil)
        #expect(volumes.shown == 30)
        volumes.note(15, of: "Bath")
        #expect(volumes.shown == 15)
        #expect(SinkVolumes(targets, common: 60).shown == 60)
    }
}
