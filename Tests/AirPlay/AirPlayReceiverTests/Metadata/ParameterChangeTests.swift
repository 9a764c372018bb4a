import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiRTSP

@testable import AirPlayReceiver

@Suite("Changes of parameters")
struct ParameterChangeTests {
    private static let time = RTPTime(rawValue: 55)
    private static let volume = Volume(decibels: -12)
    private static let progress = Progress(
        start: RTPTime(rawValue: 1), current: RTPTime(rawValue: 2), end: RTPTime(rawValue: 3))
    private static let metadata: DMAPMetadata = {
        var metadata = DMAPMetadata()
        metadata.title = "Ünïcode"
        return metadata
    }()
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0]
    private static let large = [UInt8](repeating: 1, count: NowPlayingCommand.artworkByteLimit + 1)

    static let cases: [(String, type: String?, body: [UInt8], ParameterChange)] = [
        ("volume", Volume.contentType, volume.body, .volume(volume)),
        ("progress", Volume.contentType, progress.body, .event(.progress(progress))),
        ("other text", Volume.contentType, Array("loudness: 3".utf8), .refused(.badRequest)),
        ("metadata", DMAPMetadata.contentType, metadata.encoded, .event(.metadata(metadata, time))),
        ("no metadata", DMAPMetadata.contentType, [1, 2, 3], .refused(.badRequest)),
        ("long metadata", DMAPMetadata.contentType, large, .refused(.badRequest)),
        ("a picture", "image/jpeg", jpeg, .event(.artwork(.jpeg, jpeg, time))),
        ("a picture by its other name", "image/jpg", jpeg, .event(.artwork(.jpeg, jpeg, time))),
        ("no picture any longer", "image/none", jpeg, .event(.artwork(.cleared, [], time))),
        ("a large picture", "image/jpeg", large, .refused(.badParameters)),
        ("an unknown picture", "image/gif", jpeg, .refused(.badParameters)),
        ("no type", nil, jpeg, .refused(.badParameters)),
    ]

    @Test("a request sets the volume, reports an event, or is refused", arguments: cases)
    func change(name: String, type: String?, body: [UInt8], change: ParameterChange) {
        var request = RTSPRequest(.setParameter, "rtsp://host/1", body: body)
        request.headers["Content-Type"] = type
        request.headers["RTP-Info"] = "rtptime=55"
        #expect(ParameterChange(request) == change)
    }
}
