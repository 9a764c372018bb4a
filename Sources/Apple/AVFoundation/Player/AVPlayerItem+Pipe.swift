import Foundation
import Playback
import TuttiWeb

extension AVPlayerItem {
    /// Creates an item from standard input or a named pipe: bytes that come once and in order. Tutti's
    /// extension.
    ///
    /// Any container that can be read from its beginning to its end, or raw samples. A writer that pauses
    /// stalls the player, as a slow server does; the end of the writer is the item's end. Only one item can
    /// play standard input, once; seeking back is not possible.
    ///
    /// - Parameters:
    ///   - path: The path of a named pipe; `nil` for standard input.
    ///   - format: The format of raw samples; `nil` for a container.
    nonisolated public convenience init(tuttiPipe path: String?, format: LiveFormat? = nil) {
        let name = path.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? "standard input"
        let pipe = PipeSource(path: path, name: name, prefix: format?.waveHeader ?? [])
        self.init(
            asset: AVAsset(source: AssetSource(pipe: pipe, name: name)),
            automaticallyLoadedAssetKeys: [String]?.none)
    }
}

extension AssetSource {
    /// Creates the source for a pipe.
    fileprivate init(pipe: PipeSource, name: String) {
        (location, loader, isProvided) = ("pipe://\(name)", nil, true)
        url = URL(fileURLWithPath: name)
        self.pipe = pipe
    }
}
