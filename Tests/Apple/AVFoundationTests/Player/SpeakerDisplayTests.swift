import CoreMedia
import Foundation
import Testing
import TuttiTestSupport

@testable import AVFoundation
@testable import AirPlaySender
@testable import Playback

@Suite("Speakers' displays of a player's items")
struct SpeakerDisplayTests {
    private let shown = Recorder<[[String]]>([])

    private func displays() -> SpeakerDisplays {
        SpeakerDisplays { [shown] tracks in
            shown.update { lists in
                lists.append(tracks.map { "\($0.start.seconds) \($0.metadata.dmap.title ?? "-")" })
            }
        }
    }

    private static func display(_ title: String) -> TuttiSpeakerDisplay {
        var display = TuttiSpeakerDisplay()
        display.title = title
        return display
    }

    private static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1000)
    }

    @Test("a player whose items have no display leaves the speakers' displays alone")
    func unused() {
        let (displays, item) = (displays(), AVPlayerItem(tuttiLocation: "a"))
        displays.schedule([(item, .zero)])
        displays.schedule([])
        #expect(shown.value.isEmpty)
    }

    @Test("each scheduled item with a display is shown from its place on the timeline")
    func places() {
        let displays = displays()
        let (a, b) = (AVPlayerItem(tuttiLocation: "a"), AVPlayerItem(tuttiLocation: "b"))
        a.tuttiSpeakerDisplay = Self.display("A")
        displays.schedule([(a, Self.time(-1.5)), (b, Self.time(10))])
        #expect(shown.value == [["-1.5 A"]])
        b.tuttiSpeakerDisplay = Self.display("B")
        #expect(shown.value.last == ["-1.5 A", "10.0 B"])
        a.tuttiSpeakerDisplay = nil
        #expect(shown.value.last == ["10.0 B"])
        displays.schedule([])
        #expect(shown.value.last == [] && shown.value.count == 4)
    }

    @Test("a released item is not shown")
    func released() {
        let displays = displays()
        do {
            let item = AVPlayerItem(tuttiLocation: "a")
            item.tuttiSpeakerDisplay = Self.display("A")
            displays.schedule([(item, .zero)])
        }
        displays.update()
        #expect(shown.value == [["0.0 A"], []])
    }

    @Test("texts, numbers and the picture are sent; numbers that do not fit are left out")
    func metadata() {
        var display = Self.display("T")
        (display.artist, display.album, display.genre) = ("A", "", nil)
        (display.trackNumber, display.discNumber, display.year) = (7, 70_000, -1)
        display.artwork = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let sent = TrackMetadata(display, duration: 1.5)
        #expect(sent.dmap.title == "T" && sent.dmap.artist == "A" && sent.dmap.album == "")
        #expect(sent.dmap.genre == nil && sent.dmap.trackNumber == 7 && sent.dmap.discNumber == nil)
        #expect(sent.dmap.year == nil && sent.dmap.durationMilliseconds == 1500)
        #expect(sent.artwork?.kind == .png)
        #expect(TrackMetadata(TuttiSpeakerDisplay(), duration: nil) == TrackMetadata(dmap: .init()))
    }
}
