import CoreMedia
import Testing

@testable import Playback

@Suite("PictureWindow")
struct PictureWindowTests {
    /// A window of pictures of a second each, named by their times.
    private func window(_ seconds: Int...) -> PictureWindow<Int> {
        var window = PictureWindow<Int>()
        for second in seconds { window.insert(entry(second)) }
        return window
    }

    private func entry(_ second: Int, byteCount: Int = 10) -> PictureWindow<Int>.Entry {
        PictureWindow<Int>.Entry(
            image: second, time: time(Double(second)), end: time(Double(second) + 1), byteCount: byteCount)
    }

    private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 600) }

    @Test("A picture is shown from its time to that of the next one, in whatever order they came")
    func order() {
        let window = window(3, 1, 2)
        #expect(window.picture(at: time(0.9)) == nil)
        #expect(window.picture(at: time(1))?.image == 1)
        #expect(window.picture(at: time(1.99))?.image == 1)
        #expect(window.picture(at: time(2))?.image == 2)
        #expect(window.picture(at: time(50))?.image == 3)
    }

    @Test("The film's first picture is shown before its time, too")
    func filmStart() {
        var window = PictureWindow<Int>()
        window.insert(entry(1), isFilmStart: true)
        window.insert(entry(2))
        #expect(window.picture(at: .zero)?.image == 1)
        #expect(window.next(after: .zero)?.image == 2)
        window.drop(before: time(2))
        #expect(window.picture(at: .zero) == nil)
    }

    @Test("The next picture is the first one that begins later")
    func next() {
        let window = window(1, 2, 3)
        #expect(window.next(after: .zero)?.image == 1)
        #expect(window.next(after: time(1))?.image == 2)
        #expect(window.next(after: time(1.5))?.image == 2)
        #expect(window.next(after: time(3)) == nil)
    }

    @Test("Pictures before the shown one are dropped, except those to keep, with their memory")
    func dropping() {
        var window = window(1, 2, 3, 4)
        #expect(window.byteCount == 40)
        #expect(window.drop(before: time(3.5), keeping: 1) == 1)
        #expect(window.start == time(2))
        #expect(window.byteCount == 30)
        #expect(window.drop(before: time(3.5), keeping: 1) == 0)
        #expect(window.drop(before: time(9)) == 2)
        #expect(window.count == 1)
    }

    @Test("A picture at the time of another replaces it")
    func replacing() {
        var window = window(1, 2)
        window.insert(entry(2, byteCount: 30))
        #expect(window.count == 2)
        #expect(window.byteCount == 40)
    }

    @Test("A time is covered up to the last picture's end, and beyond it after the film's last picture")
    func covering() {
        var window = window(1, 2)
        #expect(!window.covers(time(0.5)))
        #expect(window.covers(time(2.5)))
        #expect(!window.covers(time(3)))
        window.isComplete = true
        #expect(window.covers(time(3)))
    }

    @Test("Pictures that begin between two times are counted, the later time included")
    func counting() {
        #expect(window(1, 2, 3, 4).count(after: time(1), until: time(3)) == 2)
    }
}
