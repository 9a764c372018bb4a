import Codecs
import Foundation

extension AVAsset {
    /// The group of options that offer something; only `audible` has one, where a file has several tracks of sound.
    ///
    /// - Returns: always the same object; `nil` where there is nothing to choose.
    /// - Throws: as `load(_:)`.
    public func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> AVMediaSelectionGroup? {
        selectionGroup(of: try await loading.contents(), for: mediaCharacteristic)
    }

    /// As the asynchronous call of this name; the handler is called once, on any thread.
    @preconcurrency
    public func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic,
        completionHandler: @escaping @Sendable (AVMediaSelectionGroup?, (any Error)?) -> Void
    ) {
        answer({ completionHandler($0 ?? nil, $1) }) { asset, contents in
            asset.selectionGroup(of: contents, for: mediaCharacteristic)
        }
    }

    /// The group of options that offer something; waits on the calling thread.
    @available(*, deprecated, message: "Use loadMediaSelectionGroup(for:) instead")
    public func mediaSelectionGroup(
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> AVMediaSelectionGroup? {
        contents.flatMap { selectionGroup(of: $0, for: mediaCharacteristic) }
    }

    /// The characteristics that have groups of options; waits on the calling thread.
    @available(
        *, deprecated, message: "Use load(.availableMediaCharacteristicsWithMediaSelectionOptions) instead"
    )
    public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
        contents.map(selectableCharacteristics) ?? []
    }

    /// The selection without any choice; waits on the calling thread.
    @available(*, deprecated, message: "Use load(.preferredMediaSelection) instead")
    public var preferredMediaSelection: AVMediaSelection { AVMediaSelection(asset: self, stream: nil) }

    func selectableCharacteristics(of contents: AssetContents) -> [AVMediaCharacteristic] {
        selectionGroup(of: contents, for: .audible) == nil ? [] : [.audible]
    }

    func selectionGroup(
        of contents: AssetContents, for characteristic: AVMediaCharacteristic
    ) -> AVMediaSelectionGroup? {
        guard characteristic == .audible else { return nil }
        return keptGroup { Self.makeGroup(contents.info) }
    }

    /// The streams of an HLS playlist are the same sound at several bit rates, so there is nothing to choose.
    private static func makeGroup(_ info: MediaInfo) -> AVMediaSelectionGroup? {
        let options = info.streams.filter { $0.kind == .audio }.map { AVMediaSelectionOption($0) }
        guard options.count > 1, info.container != "hls" else { return nil }
        let usual = options.first { $0.stream.index == info.streamIndex } ?? options.first
        return AVMediaSelectionGroup(options: options, default: usual)
    }
}

extension AVPartialAsyncProperty where Root: AVAsset {
    /// The characteristics that have groups of options.
    public static var availableMediaCharacteristicsWithMediaSelectionOptions:
        AVAsyncProperty<Root, [AVMediaCharacteristic]>
    {
        AVAsyncProperty("availableMediaCharacteristicsWithMediaSelectionOptions") { asset, contents in
            asset.selectableCharacteristics(of: contents)
        }
    }

    /// The selection without any choice.
    public static var preferredMediaSelection: AVAsyncProperty<Root, AVMediaSelection> {
        AVAsyncProperty("preferredMediaSelection") { asset, _ in AVMediaSelection(asset: asset, stream: nil) }
    }

    /// One selection for each option; one for an asset without options.
    public static var allMediaSelections: AVAsyncProperty<Root, [AVMediaSelection]> {
        AVAsyncProperty("allMediaSelections") { asset, contents in
            let options = asset.selectionGroup(of: contents, for: .audible)?.options ?? []
            if options.isEmpty { return [AVMediaSelection(asset: asset, stream: nil)] }
            return options.map { AVMediaSelection(asset: asset, stream: $0.stream.index) }
        }
    }
}
