import AirPlayMessages
import AirPlayReceiver
import Testing
import TuttiMediaTime
import TuttiSystemIO

@testable import tutti

@Suite("Metadata and texts of a speaker")
struct SpeakerTextsTests {
    private static let phone = SenderDescription(name: "Phone", model: nil, address: IPAddress(192, 0, 2, 7))
    private static let nameless = SenderDescription(name: nil, model: "M", address: IPAddress(192, 0, 2, 7))

    // MARK: The metadata pipe

    static let items: [(MetadataItem, String)] = [
        (
            MetadataItem("core", "minm", "T"),
            "<item><type>636f7265</type><code>6d696e6d</code><length>1</length>\n"
                + "<data encoding=\"base64\">\nVA==</data></item>\n"
        ),
        (
            MetadataItem("ssnc", "snam", "Kü"),
            "<item><type>73736e63</type><code>736e616d</code><length>3</length>\n"
                + "<data encoding=\"base64\">\nS8O8</data></item>\n"
        ),
        (
            MetadataItem("ssnc", "pend"),
            "<item><type>73736e63</type><code>70656e64</code><length>0</length></item>\n"
        ),
    ]

    @Test("an item has shairport-sync's form", arguments: items)
    func encoded(item: MetadataItem, text: String) {
        #expect(String(decoding: item.encoded, as: UTF8.self) == text)
    }

    @Test("numbers are sent with the highest byte first, between the marks of their time")
    func numbers() {
        var metadata = DMAPMetadata()
        (metadata.title, metadata.durationMilliseconds) = ("T", 0x0001_0203)
        (metadata.trackNumber, metadata.playState) = (5, .playing)
        #expect(
            MetadataItem.items(.metadata(metadata, RTPTime(rawValue: 4_294_967_295))) == [
                MetadataItem("ssnc", "mdst", "4294967295"), MetadataItem("core", "minm", "T"),
                MetadataItem("core", "astm", [0, 1, 2, 3]), MetadataItem("core", "astn", [0, 5]),
                MetadataItem("core", "caps", [4]), MetadataItem("ssnc", "mden", "4294967295"),
            ])
    }

    @Test("a picture stands between marks of its time, and a position has three times")
    func pictures() {
        #expect(
            MetadataItem.items(.artwork(.png, [1, 2], RTPTime(rawValue: 9))) == [
                MetadataItem("ssnc", "pcst", "9"), MetadataItem("ssnc", "PICT", [1, 2]),
                MetadataItem("ssnc", "pcen", "9"),
            ])
        let times = [1, 2, 4_294_967_295].map { RTPTime(rawValue: $0) }
        let progress = Progress(start: times[0], current: times[1], end: times[2])
        #expect(MetadataItem.items(.progress(progress)) == [MetadataItem("ssnc", "prgr", "1/2/4294967295")])
        #expect(MetadataItem.items(.pin("1234")).isEmpty, "a PIN is shown here alone")
    }

    static let volumes: [(Volume, String)] = [
        (.full, "0.00,0.00,-30.00,0.00"), (.mute, "-144.00,-144.00,-30.00,0.00"),
        (Volume(decibels: -0.004), "0.00,0.00,-30.00,0.00"),
        (Volume(decibels: -0.05), "-0.05,-0.05,-30.00,0.00"),
        (Volume(decibels: -29.999), "-30.00,-30.00,-30.00,0.00"),
        (Volume(percent: 50), "-15.00,-15.00,-30.00,0.00"),
    ]

    @Test("a volume has two decimals and its sign", arguments: volumes)
    func volume(volume: Volume, text: String) {
        #expect(MetadataItem.items(.volume(volume)) == [MetadataItem("ssnc", "pvol", text)])
    }

    // MARK: Lines for people

    static let texts: [(SpeakerEvent, String?)] = [
        (.sessionStarted(phone), "Phone plays here"), (.sessionStarted(nameless), "192.0.2.7 plays here"),
        (.sessionEnded(phone, reason: "it left"), "Phone has ended: it left"),
        (.senderLost(phone), "Phone is unreachable; playback continues with the buffered sound"),
        (.senderReturned(nameless), "192.0.2.7 is back"), (.playing(true), "playing"),
        (.playing(false), "paused"),
        (.volume(Volume(percent: 39.6)), "volume 40"), (.volume(.mute), "volume 0"),
        (.pin("1234"), "PIN: 1234"),
        (.pin(nil), nil), (.artwork(.jpeg, [1], nil), nil), (.warning(code: "a", message: "b"), nil),
    ]

    @Test("an event is a line for people, or none", arguments: texts)
    func line(event: SpeakerEvent, text: String?) {
        #expect(TextSpeakerDisplay.text(event) == text)
    }

    @Test("the status of a stream is one line, without what is not known")
    func status() {
        #expect(TextSpeakerDisplay.text(SpeakerStatusLine(), title: "Song") == "waiting for a sender")
        var stream = StreamStatus()
        (stream.isPlaying, stream.bufferedSeconds, stream.error) = (true, 12.7, 2.5e-6)
        let plays = SpeakerStatusLine(stream: stream)
        #expect(TextSpeakerDisplay.text(plays, title: "") == "▶  12 s held  off by 2.5 µs")
        (stream.isPlaying, stream.missingFrames, stream.error) = (false, 352, -0.00004e-6)
        let pauses = SpeakerStatusLine(stream: stream, clockDrift: -1.2)
        #expect(
            TextSpeakerDisplay.text(pauses, title: "So\u{1B}ng")
                == "⏸  So?ng  12 s held  clock -1.2 ppm  off by 0.0 µs  352 frames missing")
        stream.error = -.infinity
        let strange = SpeakerStatusLine(stream: stream, clockDrift: .nan)
        #expect(TextSpeakerDisplay.text(strange, title: "").contains("clock ? ppm  off by ? µs"))
    }

    // MARK: JSON

    static let events: [(SpeakerEvent, String)] = [
        (
            .sessionStarted(phone),
            #"{"event":"session","state":"started","sender":"Phone","model":null,"address":"192.0.2.7","reason":null}"#
        ),
        (
            .sessionEnded(nameless, reason: "a\"b"),
            #"{"event":"session","state":"ended","sender":null,"model":"M","address":"192.0.2.7","reason":"a\"b"}"#
        ),
        (.playing(false), #"{"event":"playing","playing":false}"#),
        (.volume(Volume(percent: 50)), #"{"event":"volume","percent":50,"decibels":-15}"#),
        (.volume(.mute), #"{"event":"volume","percent":0,"decibels":-144}"#),
        (.artwork(.cleared, [], nil), #"{"event":"artwork","type":"image/none","bytes":0}"#),
        (.pin("0042"), #"{"event":"pin","pin":"0042"}"#), (.pin(nil), #"{"event":"pin","pin":null}"#),
        (
            .metadata(DMAPMetadata(), nil),
            #"{"event":"metadata","title":null,"artist":null,"album":null,"genre":null,"duration":null}"#
        ),
    ]

    @Test("an event is a JSON object", arguments: events)
    func json(event: SpeakerEvent, text: String) {
        #expect(JSONSpeakerDisplay.line(event)?.text == text)
    }

    @Test("a start and a status are JSON objects, and what is not known is null")
    func states() {
        let start = SpeakerStart(
            name: "K\u{1B}", addresses: ["192.0.2.7", "::1"], port: 7000, output: "null",
            deviceID: "02:00:00:AA:00:01", bufferBytes: 1024)
        #expect(
            JSONSpeakerDisplay.line(start).text
                == #"{"event":"started","name":"K\u001b","addresses":["192.0.2.7","::1"],"port":7000,"output":"null","#
                + #""deviceID":"02:00:00:AA:00:01","bufferBytes":1024}"#)
        let idle = JSONSpeakerDisplay.line(SpeakerStatusLine()).text
        #expect(idle.contains(#""playing":false"#) && idle.contains(#""sampleRate":null"#))
        #expect(idle.hasSuffix(#""clockOffset":null,"clockDriftPPM":null,"pathDelayMicroseconds":null}"#))
    }

    @Test(
        "a silence of a second or more is no slow network",
        arguments: [(999, "underrun"), (1_000, "nothing-came"), (90_500, "nothing-came"), (0, "underrun")])
    func underrun(milliseconds: Int, code: String) {
        let event = SpeakerStatusLine(silence: .milliseconds(milliseconds)).underrunWarning
        guard case .warning(let found, let message) = event else {
            Issue.record("no warning")
            return
        }
        #expect(found == code)
        #expect(message.contains("for 90 s") == (milliseconds == 90_500))
    }
}
