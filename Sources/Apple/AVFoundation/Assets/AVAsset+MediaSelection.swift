import Foundation
import TuttiCodecs

extension AVAsset {
    /// Loads the options with a characteristic: `audible` in a file of several sound tracks, `legible` in a file with
    /// subtitles of text, else none.
    ///
    /// - Returns: The group, always the same object; `nil` if there is nothing to choose.
    /// - Throws: The errors of `load(_:)`.
    public func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> AVMediaSelectionGroup? {
        selectionGroup(of: try await loading.contents(), for: mediaCharacteristic)
    }

    /// Loads the group like the asynchronous method; calls the handler once, on any thread.
    @preconcurrency
    public func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic,
        completionHandler: @escaping @Sendable (AVMediaSelectionGroup?, (any Error)?) -> Void
    ) {
        answer({ completionHandler($0 ?? nil, $1) }) { asset, contents in
            asset.selectionGroup(of: contents, for: mediaCharacteristic)
        }
    }

    /// Returns the options with a characteristic; blocks the calling thread until the asset is loaded.
    @available(*, deprecated, message: "Use loadMediaSelectionGroup(for:) instead")
    public func mediaSelectionGroup(
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> AVMediaSelectionGroup? {
        contents.flatMap { selectionGroup(of: $0, for: mediaCharacteristic) }
    }

    /// The characteristics that have option groups; blocks the calling thread until the asset is loaded.
    @available(
        *, deprecated, message: "Use load(.availableMediaCharacteristicsWithMediaSelectionOptions) instead"
    )
    public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
        contents.map(selectableCharacteristics) ?? []
    }

    /// The selection of the default options; does not block.
    @available(*, deprecated, message: "Use load(.preferredMediaSelection) instead")
    public var preferredMediaSelection: AVMediaSelection { AVMediaSelection(asset: self, stream: nil) }

    func selectableCharacteristics(of contents: AssetContents) -> [AVMediaCharacteristic] {
        [.audible, .legible].filter { selectionGroup(of: contents, for: $0) != nil }
    }

    func selectionGroup(
        of contents: AssetContents, for characteristic: AVMediaCharacteristic
    ) -> AVMediaSelectionGroup? {
        switch characteristic {
        case .audible: keptGroup(.audible) { Self.makeSoundGroup(contents.info) }
        case .legible: keptGroup(.legible) { Self.makeTextGroup(contents.info) }
        default: nil
        }
    }

    /// Returns the sound tracks; `nil` if fewer than two, and for HLS, whose streams differ only in bit rate.
    private static func makeSoundGroup(_ info: MediaInfo) -> AVMediaSelectionGroup? {
        let options = info.streams.filter { $0.kind == .audio }.map { AVMediaSelectionOption($0) }
        guard options.count > 1, info.container != "hls" else { return nil }
        let usual = options.first { $0.stream.index == info.streamIndex } ?? options.first
        return AVMediaSelectionGroup(options: options, default: usual)
    }

    /// Returns the streams of text, of which none is shown at first; `nil` without any.
    private static func makeTextGroup(_ info: MediaInfo) -> AVMediaSelectionGroup? {
        let options = info.streams.filter(\.isText).map { AVMediaSelectionOption($0) }
        return options.isEmpty ? nil : AVMediaSelectionGroup(options: options, default: nil, isOptional: true)
    }
}

extension AVPartialAsyncProperty where Root: AVAsset {
    /// The characteristics that have option groups.
    public static var availableMediaCharacteristicsWithMediaSelectionOptions:
        AVAsyncProperty<Root, [AVMediaCharacteristic]>
    {
        AVAsyncProperty("availableMediaCharacteristicsWithMediaSelectionOptions") { asset, contents in
            asset.selectableCharacteristics(of: contents)
        }
    }

    /// The selection of the default options.
    public static var preferredMediaSelection: AVAsyncProperty<Root, AVMediaSelection> {
        AVAsyncProperty("preferredMediaSelection") { asset, _ in AVMediaSelection(asset: asset, stream: nil) }
    }

    /// One selection for each option; the default selection for an asset without options.
    public static var allMediaSelections: AVAsyncProperty<Root, [AVMediaSelection]> {
        AVAsyncProperty("allMediaSelections") { asset, contents in
            let options = asset.selectionGroup(of: contents, for: .audible)?.options ?? []
            if options.isEmpty { return [AVMediaSelection(asset: asset, stream: nil)] }
            return options.map { AVMediaSelection(asset: asset, stream: $0.stream.index) }
        }
    }
}
