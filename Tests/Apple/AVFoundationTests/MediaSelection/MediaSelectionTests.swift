import Testing
import TuttiPCM
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("Selecting one of several tracks", .timeLimit(.minutes(10)))
struct MediaSelectionTests {
    private let folder: TestFolder
    private let asset: AVURLAsset

    init() throws {
        folder = try TestFolder()
        try MediaFile.kind("alac.m4a").write(Signal.sweep(frameCount: 120_000), to: folder.file("1.m4a"))
        try MediaFile.kind("alac.m4a").write(
            Signal.sweep(frameCount: 100_000, from: 300_000), to: folder.file("2.m4a"))
        try JoinedFile.write(
            [(folder.file("1.m4a"), "eng"), (folder.file("2.m4a"), "deu")], to: folder.file("both.m4a"))
        asset = AVURLAsset(url: URL(fileURLWithPath: folder.file("both.m4a")))
    }

    @Test("a file with two languages has a selection group; one with a single track has none")
    func group() async throws {
        let group = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
        #expect(group.options.map(\.extendedLanguageTag) == ["en", "de"] && !group.allowsEmptySelection)
        #expect(group.defaultOption === group.options.first)
        #expect(try await asset.loadMediaSelectionGroup(for: .audible) === group)
        #expect(try await asset.loadMediaSelectionGroup(for: .legible) == nil)
        #expect(try await asset.load(.availableMediaCharacteristicsWithMediaSelectionOptions) == [.audible])
        #expect(try await asset.load(.allMediaSelections).count == 2)
        let single = AVURLAsset(url: URL(fileURLWithPath: folder.file("1.m4a")))
        #expect(try await single.load(.availableMediaCharacteristicsWithMediaSelectionOptions).isEmpty)
        #expect(try await single.loadMediaSelectionGroup(for: .audible) == nil)
    }

    @Test("options are found by language, by stored property list and by characteristics")
    func filtering() async throws {
        let group = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
        let (english, german) = (group.options[0], group.options[1])
        #expect(
            AVMediaSelectionGroup.mediaSelectionOptions(
                from: group.options, with: Locale(identifier: "de_AT")) == [german])
        #expect(
            AVMediaSelectionGroup.mediaSelectionOptions(
                from: group.options,
                filteredAndSortedAccordingToPreferredLanguages: ["fr", "de-CH", "en", "de"])
                == [german, english])
        #expect(
            AVMediaSelectionGroup.mediaSelectionOptions(
                from: group.options, withoutMediaCharacteristics: [.isAuxiliaryContent]) == group.options)
        #expect(AVMediaSelectionGroup.playableMediaSelectionOptions(from: group.options) == group.options)
        #expect(group.mediaSelectionOption(withPropertyList: german.propertyList()) === german)
        #expect(group.mediaSelectionOption(withPropertyList: "x") == nil)
        #expect(german.displayName(with: Locale(identifier: "en")) == "German")
    }

    @Test("the selected option plays, also after a change in mid-playback, and the item reports it")
    func selecting() async throws {
        let group = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
        let item = AVPlayerItem(asset: asset)
        let player = AVPlayer(queue: RenderQueue(route: SilentRoute()))
        let durations = Recorder<[CMTime]>([])
        let token = item.observe(\.duration) { item, _ in durations.update { $0.append(item.duration) } }
        defer { token.invalidate() }
        player.replaceCurrentItem(with: item)
        _ = try await durations.wait(for: "English") { $0.last?.value == 120_000 ? true : nil }
        #expect(item.currentMediaSelection.selectedMediaOption(in: group) === group.options[0])
        #expect(item.tracks.first?.assetTrack?.trackID == 1)
        let posted = Recorder(0)
        let observer = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.mediaSelectionDidChangeNotification, object: item, queue: nil
        ) { _ in posted.update { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(observer) }
        item.select(group.options[1], in: group)
        #expect(item.currentMediaSelection.selectedMediaOption(in: group) === group.options[1])
        _ = try await durations.wait(for: "German") { $0.last?.value == 100_000 ? true : nil }
        #expect(item.tracks.first?.assetTrack?.trackID == 2)
        _ = try await posted.wait(for: "the notification") { $0 == 1 ? true : nil }
        // The file's own length is unchanged.
        #expect(try await asset.load(.duration).value == 120_000)
        item.select(nil, in: group)
        #expect(item.currentMediaSelection.selectedMediaOption(in: group) === group.options[1])
        player.replaceCurrentItem(with: nil)
    }

    @Test("a selection has value semantics")
    func selection() async throws {
        let group = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
        let usual = try await asset.load(.preferredMediaSelection)
        let own = try #require(usual.mutableCopy() as? AVMutableMediaSelection)
        own.select(group.options[1], in: group)
        #expect(usual.selectedMediaOption(in: group) === group.options[0])
        #expect(own.selectedMediaOption(in: group) === group.options[1] && own.asset === asset)
        #expect(usual.mediaSelectionCriteriaCanBeAppliedAutomatically(to: group))
        #expect(!own.mediaSelectionCriteriaCanBeAppliedAutomatically(to: group))
    }
}
