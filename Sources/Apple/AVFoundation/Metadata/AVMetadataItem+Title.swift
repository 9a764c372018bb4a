import Foundation
import TuttiCodecs

extension AVMetadataItem {
    /// Returns the items of a title of a live stream: the title, and the artist if the stream names one.
    static func items(of title: TimedTitle) -> [AVMetadataItem] {
        [
            (AVMetadataIdentifier.commonIdentifierTitle, title.title),
            (.commonIdentifierArtist, title.artist),
        ]
        .compactMap { identifier, text in
            guard let text, !text.isEmpty else { return nil }
            let item = AVMutableMetadataItem()
            item.identifier = identifier
            item.value = text as NSString
            return item
        }
    }
}
