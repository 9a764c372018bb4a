import Testing

@testable import TuttiCodecs

@Suite("Streams that edit lists trim")
struct StreamSpanTests {
    /// Expects the presented part of a stream, in frames of 48,000 Hz.
    private func check(_ start: Int64, _ length: Int64, end: Int64?, _ first: Int64, _ count: Int64) {
        let span = StreamSpan(start: start, length: length).presented(movieEnd: end, tolerance: 96)
        #expect(span == StreamSpan(start: first, length: count))
    }

    @Test("samples before time 0 and after the movie's end are not presented")
    func trimmed() {
        check(-38_400, 115_200, end: 38_400, 0, 38_400)
        check(-38_400, 115_200, end: 76_800, 0, 76_800)
        check(0, 115_200, end: 76_800, 0, 76_800)
        check(-38_400, 115_200, end: nil, 0, 76_800)
        check(48_000, 115_200, end: 96_000, 48_000, 48_000)
    }

    @Test("a rounded length, and pictures that reordering delays, are no cut")
    func whole() {
        check(0, 115_200, end: 115_120, 0, 115_200)
        check(3840, 115_200, end: 115_200, 3840, 115_200)
        check(48_000, 115_200, end: 163_200, 48_000, 115_200)
    }

    @Test("a stream of which nothing is left stays whole")
    func nothing() {
        check(-115_200, 115_200, end: 48_000, -115_200, 115_200)
        check(48_000, 115_200, end: 0, 48_000, 115_200)
    }
}
