import Foundation
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("Players of one sound", .timeLimit(.minutes(5)))
struct AVAudioPlayerTests {
    private let folder: SoundFolder
    private let sound = WaveSound(samples: .integer(bits: 16), frameCount: 22_050)

    init() throws { folder = try SoundFolder() }

    private func stage() throws -> AudioPlayerStage {
        try AudioPlayerStage(folder.write(sound.bytes, to: "a.wav"))
    }

    private var samples: [UInt8] { Array(sound.bytes.dropFirst(44)) }

    private func heard(_ stage: AudioPlayerStage) -> [UInt8] { stage.route.pieces.flatMap(\.bytes) }

    @Test("a new player knows its file and does not play")
    func facts() throws {
        let stage = try stage()
        let player = stage.player
        #expect(!player.isPlaying && player.duration == 0.5 && player.currentTime == 0)
        #expect(player.numberOfChannels == 2 && player.format.sampleRate == 44_100)
        #expect(player.settings[AVFormatIDKey] as? NSNumber == NSNumber(value: kAudioFormatLinearPCM))
        #expect(player.url?.lastPathComponent == "a.wav" && player.data == nil)
        #expect(player.volume == 1 && player.pan == 0 && player.rate == 1 && !player.enableRate)
        #expect(player.numberOfLoops == 0 && !player.isMeteringEnabled && player.currentDevice == nil)
        #expect(player.deviceCurrentTime == Double(stage.clock.now.nanoseconds) / 1e9)
    }

    @Test("a sound with two repetitions is heard three times, sample by sample without a gap, then it ends")
    func loops() async throws {
        let stage = try stage()
        stage.player.numberOfLoops = 2
        #expect(stage.player.play() && stage.player.isPlaying)
        await stage.passToEnd()
        let notes = try await stage.notes.wait(for: "the end") { $0.isEmpty ? nil : $0 }
        #expect(notes == ["finished true false"])
        #expect(heard(stage) == samples + samples + samples)
        for (one, next) in zip(stage.route.pieces, stage.route.pieces.dropFirst()) {
            #expect(one.end == next.start)
        }
        #expect(!stage.player.isPlaying && stage.player.currentTime == 0)
        // The next start begins anew, with all repetitions.
        stage.player.play()
        await stage.passToEnd()
        _ = try await stage.notes.wait(for: "the second end") { $0.count == 2 ? true : nil }
        #expect(heard(stage).count == 6 * samples.count)
    }

    @Test("an endless sound goes on; with no repetitions more, it ends where it is")
    func endless() async throws {
        let stage = try stage()
        stage.player.numberOfLoops = -1
        stage.player.play()
        await stage.pass(3)
        #expect(stage.player.isPlaying && stage.player.currentTime < 0.5 && stage.notes.value.isEmpty)
        stage.player.numberOfLoops = 0
        await stage.passToEnd()
        _ = try await stage.notes.wait(for: "the end") { $0 == ["finished true false"] ? true : nil }
    }

    @Test("times are exact to the frame, clamped to the sound, and kept by a stop")
    func times() async throws {
        let stage = try stage()
        let player = stage.player
        player.currentTime = 0.25
        #expect(player.currentTime == 0.25)
        player.play()
        // Also while the driver carries the start out.
        for _ in 0..<2000 { #expect(player.currentTime == 0.25) }
        await stage.pass(0.1)
        #expect(abs(player.currentTime - 0.35) < 1e-9)
        #expect(heard(stage) == Array(samples.dropFirst(11_025 * 4)))
        player.stop()
        #expect(!player.isPlaying && abs(player.currentTime - 0.35) < 1e-9)
        #expect(stage.driver.items.isEmpty)
        player.currentTime = 9
        #expect(player.currentTime == 0.5)
        player.currentTime = -1
        #expect(player.currentTime == 0)
        player.currentTime = .nan
        #expect(player.currentTime == 0)
        player.play()
        await stage.pass(0.1)
        player.pause()
        #expect(!player.isPlaying)
        player.currentTime = 0.4
        player.play()
        await stage.passToEnd()
        #expect(heard(stage).suffix(4410 * 4) == samples.suffix(4410 * 4))
        #expect(stage.notes.value.count <= 1)
    }

    @Test("a start at a time of the device is heard then")
    func appointment() async throws {
        let stage = try stage()
        #expect(!stage.player.play(atTime: .nan) && !stage.player.isPlaying)
        #expect(stage.player.play(atTime: stage.player.deviceCurrentTime + 1))
        await stage.pass(0.9)
        #expect(stage.player.isPlaying && stage.player.currentTime == 0)
        await stage.pass(0.3)
        #expect(abs(stage.player.currentTime - 0.2) < 1e-6)
    }

    @Test("a sound in memory is played as a file is")
    func memory() async throws {
        let stage = try AudioPlayerStage(sound.bytes)
        #expect(stage.player.url == nil && stage.player.data == Data(sound.bytes))
        stage.player.numberOfLoops = 1
        stage.player.play()
        await stage.passToEnd()
        #expect(heard(stage) == samples + samples)
    }

    @Test("an unplayable sound throws, with the code that tells why")
    func failures() throws {
        func code(_ body: () throws -> AVAudioPlayer) -> Int? {
            do {
                _ = try body()
                return nil
            } catch {
                let error = error as NSError
                #expect(error.domain == "com.apple.coreaudio.avfaudio")
                #expect(!error.localizedDescription.isEmpty)
                return error.code
            }
        }
        let junk = try folder.write([1, 2, 3], to: "junk.wav")
        #expect(code { try AVAudioPlayer(contentsOf: junk) } == Int(kAudioFileUnsupportedFileTypeError))
        #expect(
            code { try AVAudioPlayer(data: Data([1, 2, 3]), fileTypeHint: "public.mp3") }
                == Int(kAudioFileUnsupportedFileTypeError))
        #expect(code { try AVAudioPlayer(data: Data()) } != nil)
        let missing = folder.url.appendingPathComponent("missing.wav")
        #expect(
            code { try AVAudioPlayer(contentsOf: missing, fileTypeHint: nil) }
                == Int(kAudioFileUnspecifiedError))
        let address = try #require(URL(string: "http://a.invalid/a.mp3"))
        #expect(code { try AVAudioPlayer(contentsOf: address) } == Int(kAudioFileUnspecifiedError))
    }

    @Test("a file that is gone at the start is told as an error, then as an unsuccessful end")
    func gone() async throws {
        let stage = try stage()
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("a.wav"))
        stage.player.play()
        await stage.settle { !stage.player.isPlaying }
        let notes = try await stage.notes.wait(for: "the error") { $0.count == 2 ? $0 : nil }
        #expect(notes == ["error com.apple.coreaudio.avfaudio", "finished false false"])
        #expect(stage.driver.items.isEmpty)
    }

    @Test("another player that takes the outputs pauses this one and tells it")
    func interruption() async throws {
        let stage = try stage()
        stage.player.play()
        await stage.pass(0.1)
        stage.driver.interrupt()
        #expect(!stage.player.isPlaying)
        _ = try await stage.notes.wait(for: "the interruption") { $0 == ["interrupted"] ? true : nil }
    }

    @Test("a rate has an effect where it is enabled, between a half and two")
    func rates() async throws {
        let stage = try stage()
        stage.player.rate = 2
        stage.player.play()
        #expect(stage.driver.machine.rate == 1)
        stage.player.enableRate = true
        #expect(stage.driver.machine.rate == 2)
        stage.player.rate = 9
        #expect(stage.player.rate == 2)
        stage.player.rate = 0
        #expect(stage.player.rate == 0.5 && stage.driver.machine.rate == 0.5)
        stage.player.rate = .nan
        #expect(stage.player.rate == 0.5)
        stage.player.pause()
        stage.player.rate = 1
        #expect(!stage.player.isPlaying)
    }

    @Test("a fade moves the volume along a line, from where it is")
    func fade() throws {
        let stage = try stage()
        let (player, queue) = (stage.player, stage.driver.renderQueue)
        player.setVolume(0, fadeDuration: 1)
        #expect(player.volume == 0 && queue.volume == 1 && stage.fadeAlarm.isSet)
        stage.clock.advance(by: .milliseconds(500))
        stage.fadeAlarm.fire()
        #expect(abs(queue.volume - 0.5) < 1e-6)
        player.setVolume(1, fadeDuration: 1)
        stage.clock.advance(by: .milliseconds(500))
        stage.fadeAlarm.fire()
        #expect(abs(queue.volume - 0.75) < 1e-6)
        stage.clock.advance(by: .seconds(1))
        stage.fadeAlarm.fire()
        #expect(queue.volume == 1 && !stage.fadeAlarm.isSet)
        player.volume = 0.25
        #expect(queue.volume == 0.25)
        player.setVolume(7, fadeDuration: 0)
        #expect(queue.volume == 1 && player.volume == 1 && !stage.fadeAlarm.isSet)
    }

    @Test("a balance goes with all repetitions")
    func balance() async throws {
        let stage = try stage()
        stage.player.numberOfLoops = 3
        stage.player.pan = -0.5
        stage.player.prepareToPlay()
        #expect(stage.driver.items.count == 4)
        for item in stage.driver.items { #expect(item.wishes.mix.playing?.pan == -0.5) }
        stage.player.pan = 7
        for item in stage.driver.items { #expect(item.wishes.mix.playing?.pan == 1) }
        stage.player.pan = 0
        for item in stage.driver.items { #expect(item.wishes.mix == ItemMix()) }
    }
}
