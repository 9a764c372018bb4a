import AVFAudio
import Testing

@Suite("AVFAudio imported alone")
struct AVFAudioAloneTests {
    @Test("AVFAudio brings the player of one sound, and Core Media's times")
    func names() {
        #expect(throws: NSError.self) { try AVAudioPlayer(data: Data()) }
        #expect(CMTime(value: 1, timescale: 2).seconds == 0.5)
    }
}
