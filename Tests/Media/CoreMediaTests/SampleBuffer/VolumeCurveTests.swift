import Testing

@testable import CoreMedia

@Suite("Volumes over time")
struct VolumeCurveTests {
    private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1000) }

    private func range(_ start: Double, _ end: Double) -> CMTimeRange {
        CMTimeRange(start: time(start), end: time(end))
    }

    /// A volume of 1 from 0 s on, then a ramp from 0.5 to 0.2 in 4 s ... 9 s.
    private var documented: VolumeCurve {
        var curve = VolumeCurve()
        curve.set(1, at: .zero)
        curve.ramp(from: 0.5, to: 0.2, in: range(4, 9))
        return curve
    }

    @Test(
        "a volume holds, jumps to a ramp, and holds after it",
        arguments: [
            (-1, 1), (0, 1), (3.999, 1), (4, 0.5), (6.5, 0.35), (9, 0.2), (100, 0.2),
        ] as [(Double, Float)])
    func values(at seconds: Double, volume: Float) {
        #expect(abs(documented.volume(at: time(seconds)) - volume) < 1e-6)
    }

    @Test("a ramp replaces what begins in it, and cuts an earlier one")
    func replaced() {
        var curve = documented
        curve.ramp(from: 0, to: 1, in: range(3, 5))
        #expect(abs(curve.volume(at: time(4)) - 0.5) < 1e-6 && curve.volume(at: time(8)) == 1)
        curve.set(0.3, at: time(3.5))
        #expect(curve.volume(at: time(4)) == 0.3 && curve.pieces.count == 3)
    }

    @Test("values that are no volumes and times that are no times do no harm")
    func junk() {
        var curve = VolumeCurve()
        curve.set(.nan, at: .zero)
        curve.set(-3, at: time(1))
        curve.set(.infinity, at: time(2))
        curve.set(0.5, at: .invalid)
        curve.set(0.5, at: .positiveInfinity)
        #expect(curve.pieces.map(\.to) == [1, 0, VolumeCurve.limit])
        curve.ramp(from: 0, to: 1, in: CMTimeRange(start: time(3), duration: .positiveInfinity))
        #expect(curve.pieces.count == 4 && curve.volume(at: time(4)) == 1)
        for number in 0..<5000 { curve.set(0.5, at: time(10 + Double(number))) }
        #expect(curve.pieces.count == VolumeCurve.pieceLimit)
    }

    @Test("a part is nil exactly where the volume is 1")
    func parts() {
        var curve = VolumeCurve()
        curve.ramp(from: 1, to: 0.5, in: range(10, 11))
        curve.ramp(from: 0.5, to: 1, in: range(20, 21))
        let unity = [(0.0, 10.0), (21, 22), (5, 6)]
        for (start, end) in unity { #expect(curve.part(from: time(start), to: time(end)) == nil) }
        for (start, end) in [(9.0, 10.001), (12, 13), (20.5, 22), (0, 30)] {
            let part = curve.part(from: time(start), to: time(end))
            for place in stride(from: start, to: end, by: 0.1) {
                #expect(part?.volume(at: time(place)) == curve.volume(at: time(place)))
            }
        }
        #expect(curve.moved(by: time(5)).volume(at: time(17)) == 0.5)
    }

    @Test("the first difference of two curves is found to the instant")
    func differences() {
        var other = documented
        #expect(documented.firstDifference(from: other) == nil)
        other.set(0.9, at: time(12))
        #expect(documented.firstDifference(from: other) == time(12))
        other.ramp(from: 0.5, to: 0.1, in: range(4, 9))
        #expect(documented.firstDifference(from: other) == time(4))
        #expect(VolumeCurve().firstDifference(from: VolumeCurve(constant: 1)) == nil)
        #expect(VolumeCurve(constant: 0.5).firstDifference(from: VolumeCurve()) == .zero)
    }

    @Test("a balance is a difference from the beginning on, kept by parts and by moves")
    func balance() {
        let curve = VolumeCurve(pan: 0.5)
        #expect(curve.firstDifference(from: VolumeCurve()) == .zero)
        #expect(curve.firstDifference(from: VolumeCurve(pan: 0.5)) == nil)
        #expect(curve.part(from: time(1), to: time(2))?.pan == 0.5 && curve.moved(by: time(1)).pan == 0.5)
        #expect(VolumeCurve(pan: 0).part(from: time(1), to: time(2)) == nil)
        #expect(VolumeCurve(pan: 7).pan == 1 && VolumeCurve(pan: .nan).pan == 0)
    }
}
