import Foundation

extension AVURLAsset {
    /// The asset's resource loader, always the same object. Only URLs of custom schemes use the loader.
    public var resourceLoader: AVAssetResourceLoader { source.loader ?? AVAssetResourceLoader() }
}
