import AVFoundation

/// Provides files as addresses of the program's own: `own:///PATH`.
final class OwnAddresses: NSObject, AVAssetResourceLoaderDelegate, Sendable {
    static let shared = OwnAddresses()
    private let queue = DispatchQueue(label: "own-addresses")

    func asset(_ path: String) throws -> AVURLAsset {
        guard let url = URL(string: "own://" + path) else { throw UsageError("'\(path)' is no path") }
        let asset = AVURLAsset(url: url)
        asset.resourceLoader.setDelegate(self, queue: queue)
        return asset
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource request: AVAssetResourceLoadingRequest
    ) -> Bool {
        guard let path = request.request.url?.path, let file = FileHandle(forReadingAtPath: path),
            let length = try? file.seekToEnd(), let wanted = request.dataRequest
        else { return false }
        request.contentInformationRequest?.contentLength = Int64(length)
        request.contentInformationRequest?.isByteRangeAccessSupported = true
        reportNow("asked", ["offset": wanted.requestedOffset, "length": wanted.requestedLength])
        do {
            try file.seek(toOffset: UInt64(wanted.requestedOffset))
            if let data = try file.read(upToCount: wanted.requestedLength) { wanted.respond(with: data) }
            request.finishLoading()
        } catch {
            request.finishLoading(with: error)
        }
        return true
    }
}

/// Prints the titles of a stream as they become audible.
final class TitleTeller: NSObject, AVPlayerItemMetadataOutputPushDelegate, Sendable {
    private let name: String
    private let numbers: ItemNumbers

    init(_ name: String, _ numbers: ItemNumbers) { (self.name, self.numbers) = (name, numbers) }

    func metadataOutput(
        _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?
    ) {
        for group in groups {
            let host = CMClockGetTime(CMClockGetHostTimeClock()).seconds
            reportNow(
                "audibleTitle",
                [
                    "player": name, "titles": group.items.compactMap(\.stringValue),
                    "identifiers": group.items.compactMap(\.identifier?.rawValue),
                    "start": group.timeRange.start.seconds,
                    "heard": output.itemTime(forHostTime: host).seconds,
                ])
        }
    }

    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {
        reportNow("titlesFlushed", ["player": name])
    }
}

/// Further commands of ``PlayerUnderTest``, about one item:
///
///     own PATH                 inserts an item whose bytes the program provides
///     language ITEM TAG        selects the track in a language
///     titles ITEM SECONDS      prints titles SECONDS before they are audible
///     chapters ITEM            prints titles and start times
///     keep ITEM on|off         whether a live stream is read on during a pause
@MainActor
struct ItemFeatures {
    let name: String
    let numbers: ItemNumbers

    /// - Returns: `false` for any other command.
    func perform(_ command: String, _ words: [String]) throws -> Bool {
        guard ["language", "titles", "chapters", "keep"].contains(command), let first = words.first else {
            return false
        }
        let (item, second) = (try numbers.item(first), words.count > 1 ? words[1] : "")
        switch command {
        case "language": select(second, of: item)
        case "titles": tellTitles(of: item, ahead: Double(second) ?? 0)
        case "chapters": tellChapters(of: item)
        default: item.canUseNetworkResourcesForLiveStreamingWhilePaused = second == "on"
        }
        return true
    }

    private func select(_ tag: String, of item: AVPlayerItem) {
        Task {
            guard let group = try await item.asset.loadMediaSelectionGroup(for: .audible),
                let option = group.options.first(where: { $0.extendedLanguageTag == tag })
            else { return reportNow("selected", ["player": name, "language": NSNull()]) }
            item.select(option, in: group)
            reportNow("selected", ["player": name, "language": option.displayName])
        }
    }

    private func tellTitles(of item: AVPlayerItem, ahead: Double) {
        let output = AVPlayerItemMetadataOutput(identifiers: nil)
        output.advanceIntervalForDelegateInvocation = ahead
        let teller = TitleTeller(name, numbers)
        numbers.keep(teller)
        output.setDelegate(teller, queue: DispatchQueue(label: "titles"))
        item.add(output)
    }

    private func tellChapters(of item: AVPlayerItem) {
        Task {
            let groups = try await item.asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: [])
            reportNow(
                "chapters",
                [
                    "player": name, "titles": groups.map { $0.items.first?.stringValue ?? "" },
                    "starts": groups.map(\.timeRange.start.seconds),
                ])
        }
    }
}
