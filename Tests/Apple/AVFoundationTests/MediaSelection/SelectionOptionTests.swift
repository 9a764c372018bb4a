import Foundation
import Testing

@testable import AVFoundation
@testable import TuttiCodecs

@Suite("Options of a media selection")
struct SelectionOptionTests {
    private static func stream(
        _ index: Int, track: Int32? = nil, text: Bool = false, language: String? = nil, title: String? = nil,
        isCommentary: Bool = false, describesPictures: Bool = false, tag: UInt32 = 0
    ) -> MediaStream {
        MediaStream(
            index: index, trackID: track ?? Int32(index + 1), kind: text ? .subtitle : .audio,
            codecName: text ? "subrip" : "aac", codecTag: tag, audio: nil, video: nil, isText: text,
            length: nil,
            start: nil, language: language, isDefault: false, title: title, isCommentary: isCommentary,
            describesPictures: describesPictures, bitRate: 0, width: 0, height: 0, pictureRate: 0)
    }

    private let sounds: AVMediaSelectionGroup
    private let texts: AVMediaSelectionGroup
    private let asset = AVURLAsset(url: URL(fileURLWithPath: "/nowhere/film.mkv"))

    init() {
        let sounds = [
            Self.stream(1, language: "eng"),
            Self.stream(2, track: 77, language: "deu", title: "Kommentar", isCommentary: true),
            Self.stream(3, describesPictures: true),
        ].map { AVMediaSelectionOption($0) }
        let texts = [
            Self.stream(4, text: true, language: "fra"), Self.stream(5, text: true, language: "und"),
        ]
        .map { AVMediaSelectionOption($0) }
        self.sounds = AVMediaSelectionGroup(options: sounds, default: sounds[0])
        self.texts = AVMediaSelectionGroup(options: texts, default: nil, isOptional: true)
    }

    @Test("an option has the characteristics of its track")
    func characteristics() {
        #expect(sounds.options.allSatisfy { $0.hasMediaCharacteristic(.audible) && $0.mediaType == .audio })
        #expect(texts.options.allSatisfy { $0.hasMediaCharacteristic(.legible) && $0.mediaType == .subtitle })
        #expect(texts.options.allSatisfy { !$0.hasMediaCharacteristic(.audible) && $0.isPlayable })
        let auxiliary = AVMediaSelectionGroup.mediaSelectionOptions(
            from: sounds.options, withMediaCharacteristics: [.audible, .isAuxiliaryContent])
        #expect(auxiliary == [sounds.options[1]])
        let main = AVMediaSelectionGroup.mediaSelectionOptions(
            from: sounds.options,
            withoutMediaCharacteristics: [.isAuxiliaryContent, .describesVideoForAccessibility])
        #expect(main == [sounds.options[0]])
        let all = AVMediaSelectionGroup.mediaSelectionOptions(
            from: sounds.options, withMediaCharacteristics: [])
        #expect(all == sounds.options)
        // Without sound parameters nothing can be decoded.
        #expect(AVMediaSelectionGroup.playableMediaSelectionOptions(from: sounds.options).isEmpty)
    }

    @Test("an option is named by its track, else by its language, else by its number")
    func names() {
        let english = Locale(identifier: "en")
        #expect(sounds.options.map { $0.displayName(with: english) } == ["English", "Kommentar", "Track 4"])
        #expect(texts.options[0].displayName(with: english) == "French")
        #expect(texts.options[1].extendedLanguageTag == nil && texts.options[1].locale == nil)
        let title = sounds.options[1].commonMetadata
        #expect(title.map(\.stringValue) == ["Kommentar"] && title.first?.commonKey == .commonKeyTitle)
        #expect(title.first?.extendedLanguageTag == "de" && sounds.options[0].commonMetadata.isEmpty)
    }

    @Test("a codec's code is a number with the first character in the highest byte, and none is none")
    func codes() {
        let option = AVMediaSelectionOption(Self.stream(0, tag: 0x6134_706D))
        #expect(option.mediaSubTypes == [NSNumber(value: 0x6D70_3461 as UInt32)])
        #expect(sounds.options[0].mediaSubTypes.isEmpty)
    }

    @Test(
        "an option is found again by its property list, also when that was stored", arguments: [true, false])
    func stored(isBinary: Bool) throws {
        let format: PropertyListSerialization.PropertyListFormat = isBinary ? .binary : .xml
        for group in [sounds, texts] {
            for option in group.options {
                let data = try PropertyListSerialization.data(
                    fromPropertyList: option.propertyList(), format: format, options: 0)
                let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
                #expect(group.mediaSelectionOption(withPropertyList: list) === option)
            }
        }
        #expect(texts.mediaSelectionOption(withPropertyList: sounds.options[1].propertyList()) == nil)
        for junk in [5, [1, 2], ["MediaSelectionOptionsPersistentID": "77"], [String: Any]()] as [Any] {
            #expect(sounds.mediaSelectionOption(withPropertyList: junk) == nil)
        }
    }

    @Test(
        "preferred languages sort the options; one that is named twice counts once, and unknown ones are left out"
    )
    func preferences() {
        func sorted(_ languages: [String]) -> [AVMediaSelectionOption] {
            AVMediaSelectionGroup.mediaSelectionOptions(
                from: sounds.options, filteredAndSortedAccordingToPreferredLanguages: languages)
        }
        #expect(sorted(["de-AT", "de", "en_GB", "DE"]) == [sounds.options[1], sounds.options[0]])
        #expect(sorted(["und", "", "-", "ja"]).isEmpty && sorted([]).isEmpty)
    }

    @Test("groups of sound and of texts are selected independently of each other")
    func independent() throws {
        let selection = AVMutableMediaSelection(asset: asset, stream: nil)
        #expect(selection.selectedMediaOption(in: sounds) === sounds.options[0])
        #expect(selection.selectedMediaOption(in: texts) == nil)
        #expect(selection.mediaSelectionCriteriaCanBeAppliedAutomatically(to: sounds))
        #expect(selection.mediaSelectionCriteriaCanBeAppliedAutomatically(to: texts))
        selection.select(texts.options[1], in: texts)
        #expect(selection.selectedMediaOption(in: texts) === texts.options[1])
        #expect(selection.selectedMediaOption(in: sounds) === sounds.options[0])
        #expect(selection.mediaSelectionCriteriaCanBeAppliedAutomatically(to: sounds))
        #expect(!selection.mediaSelectionCriteriaCanBeAppliedAutomatically(to: texts))
        selection.select(sounds.options[2], in: sounds)
        let copy = try #require(selection.copy() as? AVMediaSelection)
        // No sound at all cannot be selected; no text can.
        selection.select(nil, in: sounds)
        selection.select(nil, in: texts)
        #expect(selection.selectedMediaOption(in: sounds) === sounds.options[2])
        #expect(selection.selectedMediaOption(in: texts) == nil)
        #expect(copy.selectedMediaOption(in: texts) === texts.options[1] && copy.asset === asset)
        #expect(!(copy is AVMutableMediaSelection))
    }

    @Test("an option of another group is not selected")
    func foreign() {
        let selection = AVMutableMediaSelection(asset: asset, stream: nil)
        selection.select(texts.options[0], in: sounds)
        selection.select(sounds.options[1], in: texts)
        #expect(selection.selectedMediaOption(in: sounds) === sounds.options[0])
        #expect(selection.selectedMediaOption(in: texts) == nil)
    }

    @Test("groups and options are immutable, and their copies are themselves")
    func copies() {
        #expect(sounds.copy() as? AVMediaSelectionGroup === sounds)
        #expect(sounds.options[0].copy() as? AVMediaSelectionOption === sounds.options[0])
        #expect(texts.allowsEmptySelection && texts.defaultOption == nil && !sounds.allowsEmptySelection)
    }
}
