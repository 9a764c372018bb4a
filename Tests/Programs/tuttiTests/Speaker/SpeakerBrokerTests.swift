import AirPlayMessages
import AirPlayReceiver
import Testing
import TuttiCommandLineInterface
import TuttiSystemIO

@testable import tutti

@Suite("The topics of a speaker on an MQTT broker")
struct SpeakerBrokerTests {
    private static func topics(_ event: SpeakerEvent, isRaw: Bool = false) -> [String] {
        MetadataItem.items(event).flatMap { $0.topics(isRaw: isRaw) }.map { topic in
            topic.name + (topic.isState ? "=" : "!") + String(decoding: topic.payload, as: UTF8.self)
        }
    }

    @Test("a session, playing and volume have shairport-sync's topics")
    func session() throws {
        let address = try #require(IPAddress("192.0.2.7"))
        let sender = SenderDescription(name: "Phone", model: nil, address: address)
        #expect(
            Self.topics(.sessionStarted(sender)) == [
                "client_name=Phone", "client_ip=192.0.2.7", "active=1", "active_start!--",
            ])
        #expect(
            Self.topics(.playing(true)) == ["playing=1", "play_start!--", "playing=1", "play_resume!--"])
        #expect(Self.topics(.playing(false)) == ["playing=0", "play_flush!--"])
        #expect(
            Self.topics(.sessionEnded(sender, reason: "x")) == [
                "playing=0", "play_end!--", "active=0", "active_end!--",
            ])
        #expect(Self.topics(.volume(Volume(decibels: -12))) == ["volume=-12.00,-12.00,-30.00,0.00"])
    }

    @Test("metadata and pictures have names, and their codes on demand")
    func metadata() {
        var metadata = DMAPMetadata()
        (metadata.title, metadata.artist, metadata.album, metadata.genre) = ("T", "A", "", "G")
        metadata.persistentID = 0x0102_0304_0506_0708
        #expect(
            Self.topics(.metadata(metadata, nil)) == [
                "title=T", "artist=A", "album=--", "genre=G", "track_id=72623859790382856",
            ])
        let raw = Self.topics(.metadata(metadata, nil), isRaw: true)
        #expect(raw.contains("core/minm!T") && raw.contains("ssnc/mdst!--") && raw.contains("title=T"))
        #expect(Self.topics(.artwork(.jpeg, Array("JPG".utf8), nil)) == ["cover=JPG"])
    }

    @Test("remote commands are buttons, volumes, or commands of the older remote control")
    func remote() {
        for word in RemoteWord.allCases {
            let volume = word.volume(after: Volume(percent: 50), before: .full)
            let ways = [word.button(isPlaying: true) != nil, volume != nil, word.remoteCommand != nil]
            #expect(ways.filter { $0 }.count == 1, "\(word)")
        }
        #expect(RemoteWord(Array("playpause\n".utf8))?.button(isPlaying: true) == .pause)
        #expect(RemoteWord(Array("playpause".utf8))?.button(isPlaying: false) == .play)
        #expect(RemoteWord(Array("nextitem".utf8))?.button(isPlaying: false) == .nextItem)
        let loud = Volume(percent: 50)
        #expect(RemoteWord.volumeup.volume(after: loud, before: .full)?.percent == 56.25)
        #expect(RemoteWord.mutetoggle.volume(after: loud, before: .full) == .mute)
        #expect(RemoteWord.mutetoggle.volume(after: .mute, before: loud) == loud)
        for junk in ["", "explode", "playx", String(repeating: "a", count: 100_000)] {
            #expect(RemoteWord(Array(junk.utf8)) == nil)
        }
        #expect(RemoteWord([0xFF, 0xFE]) == nil)
    }
}
