import Testing

@testable import VideoWindow

@Suite("The life of a window", .serialized)
struct WindowLifeTests {
    private func grey(_ level: UInt8) throws -> VideoPicture {
        try TestPicture(width: 32, height: 24).make { _, _ in YCbCr(level, 128, 128) }
    }

    @Test("a resized window shows the last picture in its new size")
    func resize() async throws {
        let window = try TestWindow.open(width: 320, height: 240)
        window.show(try grey(180), dueAt: 0)
        let before = try await window.snapshot()
        #expect((before.width, before.height) == (320, 240))
        window.setSize(PixelSize(width: 200, height: 100))
        for await event in window.events {
            if event == .sizeChanged(PixelSize(width: 200, height: 100)) { break }
        }
        let after = try await window.snapshot()
        #expect((after.width, after.height) == (200, 100))
        #expect(after.litArea == PixelRect(x: 33, y: 0, width: 133, height: 100))
    }

    @Test("each picture is either shown or counted as dropped, and the newest is on the screen")
    func dropping() async throws {
        let window = try TestWindow.open()
        for level in 0..<50 { window.show(try grey(UInt8(50 + level)), dueAt: 0) }
        let snapshot = try await window.snapshot()
        let exact = YCbCr(99, 128, 128).color(.bt709, isFullRange: false)
        #expect(snapshot.isColor(exact, at: 160, 120, within: 2))
        let statistics = window.statistics
        #expect(statistics.shownCount + statistics.droppedCount == 50)
        #expect(statistics.shownCount >= 1)
        // Host time 0 is long past.
        #expect(statistics.lateCount == statistics.shownCount)
        #expect(statistics.lastPresentationTime > 0)
        #expect(statistics.displayPeriod > 1_000_000)
        #expect(!statistics.rendererName.isEmpty)
        #expect(window.leadTime > .zero)
    }

    @Test("a removed picture leaves a black window, and a later one is shown")
    func removal() async throws {
        let window = try TestWindow.open()
        window.show(try grey(180), dueAt: 0)
        #expect(try await window.snapshot().litArea != nil)
        window.removeImage()
        #expect(try await window.snapshot().litArea == nil)
        window.show(try grey(120), dueAt: 0)
        #expect(try await window.snapshot().litArea != nil)
    }

    @Test("full screen is entered, left and reported")
    func fullScreen() async throws {
        let window = try TestWindow.open()
        var events = window.events.makeAsyncIterator()
        window.setFullScreen(true)
        while let event = await events.next(), event != .fullScreenChanged(true) {}
        window.setFullScreen(false)
        while let event = await events.next(), event != .fullScreenChanged(false) {}
        window.setTitle("Another title")
        window.setPreventsDisplaySleep(false)
        _ = try await window.snapshot()
    }

    @Test("several windows show their own pictures")
    func several() async throws {
        let (first, second) = (try TestWindow.open(), try TestWindow.open(width: 100, height: 80))
        first.show(try grey(60), dueAt: 0)
        second.show(try grey(200), dueAt: 0)
        let dark = YCbCr(60, 128, 128).color(.bt709, isFullRange: false)
        let bright = YCbCr(200, 128, 128).color(.bt709, isFullRange: false)
        #expect(try await first.snapshot().isColor(dark, at: 160, 120, within: 2))
        let snapshot = try await second.snapshot()
        #expect(snapshot.width == 100)
        #expect(snapshot.isColor(bright, at: 50, 40, within: 2))
    }

    @Test("a closed window ends its events and refuses snapshots, and another one opens")
    func close() async throws {
        let window = try TestWindow.open()
        window.close()
        window.close()
        var last: VideoWindowEvent?
        for await event in window.events { last = event }
        #expect(last == .closed)
        window.show(try grey(100), dueAt: 0)
        await #expect(throws: VideoWindowError.closed) { try await window.snapshot() }
        let next = try TestWindow.open()
        next.show(try grey(100), dueAt: 0)
        #expect(try await next.snapshot().litArea != nil)
    }

    @Test("a window without references closes")
    func release() async throws {
        let events = try TestWindow.open().events
        var last: VideoWindowEvent?
        for await event in events { last = event }
        #expect(last == .closed)
    }

    @Test("a refusal of pictures is sent once")
    func refusal() async throws {
        let window = try TestWindow.open()
        window.refusePicture("one")
        window.refusePicture("two")
        window.close()
        var refusals: [VideoWindowEvent] = []
        for await event in window.events {
            if case .pictureRefused = event { refusals.append(event) }
        }
        #expect(refusals == [.pictureRefused("one")])
    }
}
