import CTuttiASS
import Testing

@testable import VideoWindow

@Suite("Subtitles in a window", .serialized)
struct WindowSubtitlesTests {
    static let hasLibass = tutti_ass_load() != nil

    private let cues = [
        SubtitleCue(start: 1000, duration: 2000, text: "0,0,Default,,0,0,0,,Hello"),
        SubtitleCue(start: 4000, duration: 2000, text: "1,0,Default,,0,0,0,,{\\an8}Above"),
    ]

    @Test(
        "a cue is drawn in the lower third at its time, and removed after it",
        .enabled(if: hasLibass, "libass9"))
    func lowerThird() async throws {
        let window = try TestWindow.open(width: 480, height: 270)
        window.showSubtitles(cues, at: 1500)
        let drawn = try #require(try await window.snapshot().litArea)
        #expect(drawn.y > 180)
        #expect(drawn.y + drawn.height <= 270)
        #expect(drawn.x > 100 && drawn.x + drawn.width < 380)
        window.showSubtitles(cues, at: 3500)
        #expect(try await window.snapshot().litArea == nil)
        window.showSubtitles(cues, at: 4500)
        let above = try #require(try await window.snapshot().litArea)
        #expect(above.y + above.height < 90)
        window.showSubtitles([], at: 4500)
        #expect(try await window.snapshot().litArea == nil)
    }

    @Test("subtitles are drawn over the picture and the bars below it", .enabled(if: hasLibass, "libass9"))
    func overPicture() async throws {
        let window = try TestWindow.open(width: 480, height: 400)
        let picture = try TestPicture(width: 64, height: 36).make { _, _ in YCbCr(60, 128, 128) }
        window.show(picture, dueAt: 0)
        window.showSubtitles(cues, at: 1500)
        // The picture covers 270 lines in the middle.
        let snapshot = try await window.snapshot()
        let bright = (0..<400).filter { y in (0..<480).contains { x in snapshot.rgb(x, y)[0] > 200 } }
        #expect(bright.allSatisfy { $0 > 266 })
        #expect(!bright.isEmpty)
        #expect(
            snapshot.isColor(YCbCr(60, 128, 128).color(.bt709, isFullRange: false), at: 20, 100, within: 2))
    }

    @Test("subtitles are drawn anew for another size", .enabled(if: hasLibass, "libass9"))
    func resized() async throws {
        let window = try TestWindow.open(width: 480, height: 270)
        window.showSubtitles(cues, at: 1500)
        let small = try #require(try await window.snapshot().litArea)
        window.setSize(PixelSize(width: 960, height: 540))
        for await event in window.events {
            if event == .sizeChanged(PixelSize(width: 960, height: 540)) { break }
        }
        let large = try #require(try await window.snapshot().litArea)
        #expect(abs(large.width - small.width * 2) <= 8)
        #expect(large.y > 360)
    }

    @Test("a line that fades in and out is visible when it is drawn", .enabled(if: hasLibass, "libass9"))
    func fading() async throws {
        let window = try TestWindow.open(width: 480, height: 270)
        let cues = [
            SubtitleCue(start: 1000, duration: 2000, text: "0,0,Default,,0,0,0,,{\\fad(300,200)}Hello")
        ]
        window.showSubtitles(cues, at: 1000)
        #expect(try await window.snapshot().litArea == nil)
        window.showSubtitles(cues, at: SubtitleCue.drawingTime(of: cues))
        #expect(try await window.snapshot().litArea != nil)
    }

    @Test("hostile events and headers draw nothing harmful", .enabled(if: hasLibass, "libass9"))
    func hostile() async throws {
        let window = try TestWindow.open(width: 480, height: 270)
        let texts = [
            "", ",", "0,0,Default,,0,0,0,,", "0,0,Nowhere,,-1,-1,99999999,,{\\fs99999}x",
            "0,0,Default,,0,0,0,,{\\t(\\fscx1000000)}{\\p9}m 0 0 l 99999999 0 99999999 99999999{\\p0}",
            "0,0,Default,,0,0,0,,\0{\\k", String(repeating: "{\\b1", count: 20_000),
            "0,0,Default,,0,0,0,," + String(repeating: "W", count: 60_000),
        ]
        for header in [
            SubtitleCue.plainHeader, "", "\0\0[V4+ Styles]\nStyle: ", "[Events]\nFormat: Text,Text\n",
        ] {
            let cues = texts.map { SubtitleCue(start: 0, duration: 1000, text: $0, header: header) }
            window.showSubtitles(cues, at: 500)
            _ = try await window.snapshot()
        }
        window.showSubtitles(self.cues, at: 1500)
        #expect(try await window.snapshot().litArea != nil)
    }
}
