import Testing

@testable import TuttiWeb

@Suite("Titles of radio stations")
struct IcyTests {
    static let titles: [([UInt8], String?)] = [
        (Array("StreamTitle='Artist - Title';".utf8), "Artist - Title"),
        (Array("StreamTitle='It's a song';StreamUrl='http://a/';\0\0\0".utf8), "It's a song"),
        (Array("StreamTitle='Don';t stop';StreamUrl='';".utf8), "Don';t stop"),
        (Array("StreamUrl='x';StreamTitle='Last'".utf8), "Last"),
        (Array("StreamTitle='';".utf8), ""), (Array("StreamTitle='open".utf8), "open"),
        (Array("StreamTitle='Übung';".utf8), "Übung"),
        (Array("StreamTitle='".utf8) + [0xDC] + Array("bung';".utf8), "Übung"),
        (Array("StreamTitle='a\u{1B}[2Jb';".utf8), "a[2Jb"),
        (Array("StreamUrl='x';".utf8), nil), ([], nil), ([0, 0, 0], nil),
    ]

    @Test("titles are parsed", arguments: titles)
    func parses(bytes: [UInt8], title: String?) {
        #expect(IcyTitle.parse(bytes) == title)
    }

    @Test("titles are separated from the audio wherever it is split", arguments: 1...70)
    func cuts(step: Int) {
        let text = Array("StreamTitle='It's me';".utf8)
        let block = [2] + text + [UInt8](repeating: 0, count: 32 - text.count)
        let stream = [1, 2, 3, 4, 5] + block + [6, 7, 8, 9, 10] + [0] + [11, 12, 13, 14, 15] + block + [16]
        var demultiplexer = IcyDemultiplexer(interval: 5)
        var (sound, titles) = ([UInt8](), [String]())
        for start in stride(from: 0, to: stream.count, by: step) {
            stream[start..<min(start + step, stream.count)].withUnsafeBytes {
                demultiplexer.take($0) {
                    sound += $0
                } onTitle: {
                    titles.append($0)
                }
            }
        }
        #expect(sound == Array(1...16))
        #expect(titles == ["It's me", "It's me"])
    }
}
