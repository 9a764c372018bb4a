import CoreMedia
import Foundation

/// The attributes of pixel buffers that a program wants, by the keys of Core Video.
struct PixelAttributes: Sendable {
    let values: [String: any Sendable]

    init(_ values: [String: any Sendable]) { self.values = values }

    /// The wanted pixel formats, best first; `nil` if the program does not say.
    var formats: [OSType]? {
        let value = values[kCVPixelBufferPixelFormatTypeKey as String]
        if let list = value as? [NSNumber] { return list.map(\.uint32Value) }
        if let list = value as? [OSType] { return list }
        return Self.number(value).map { [OSType(truncatingIfNeeded: $0)] }
    }

    /// The wanted width in pixels.
    var width: Int? { size(kCVPixelBufferWidthKey) }
    /// The wanted height in pixels.
    var height: Int? { size(kCVPixelBufferHeightKey) }

    private func size(_ key: CFString) -> Int? {
        Self.number(values[key as String]).flatMap { (1...16_384).contains($0) ? $0 : nil }
    }

    private static func number(_ value: (any Sendable)?) -> Int? {
        (value as? NSNumber)?.intValue ?? value as? Int ?? (value as? OSType).map { Int($0) }
    }
}
