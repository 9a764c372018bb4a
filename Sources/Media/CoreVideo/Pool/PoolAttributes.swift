import Foundation

/// The attributes of a pool.
struct PoolAttributes: @unchecked Sendable {
    // Safe to share: nothing changes after `init`, and the dictionary is a copy that nobody else has.

    let dictionary: NSDictionary
    /// The number of buffers, in use or free, that stay whatever their age.
    let minimumCount: Int
    /// The age in nanoseconds at which free memory is released; `nil` for never.
    let maximumAge: Int64?

    /// - Throws: `kCVReturnInvalidPoolAttributes` for a value that is negative or no number.
    init(_ attributes: CFDictionary?) throws(PixelBufferError) {
        dictionary = NSDictionary(dictionary: attributes as? [AnyHashable: Any] ?? [:])
        let count = try Self.number(kCVPixelBufferPoolMinimumBufferCountKey, in: dictionary) ?? 0
        let seconds =
            try Self.number(kCVPixelBufferPoolMaximumBufferAgeKey, in: dictionary)
            ?? CVPixelBufferPool.usualMaximumAge
        minimumCount = Int(min(count, Double(Int32.max)))
        // An age beyond a century is as good as none.
        maximumAge = seconds > 0 && seconds < 3e9 ? Int64(seconds * 1e9) : nil
    }

    private static func number(
        _ key: CFString, in dictionary: NSDictionary
    ) throws(PixelBufferError) -> Double? {
        guard let value = dictionary[key] else { return nil }
        guard let number = (value as? NSNumber)?.doubleValue, number >= 0 else {
            throw PixelBufferError(kCVReturnInvalidPoolAttributes)
        }
        return number
    }
}

/// The attributes of all buffers of a pool.
struct BufferAttributes: @unchecked Sendable {
    // Safe to share: nothing changes after `init`, and the dictionary is a copy that nobody else has.

    let dictionary: NSDictionary

    init(_ attributes: CFDictionary?) {
        dictionary = NSDictionary(dictionary: attributes as? [AnyHashable: Any] ?? [:])
    }

    /// Returns the layout of the buffers.
    ///
    /// - Throws: `kCVReturnInvalidPixelBufferAttributes` without a format, a width and a height; or the
    ///   reason that a buffer cannot have these.
    func layout() throws(PixelBufferError) -> PixelLayout {
        guard let width = (dictionary[kCVPixelBufferWidthKey] as? NSNumber)?.intValue,
            let height = (dictionary[kCVPixelBufferHeightKey] as? NSNumber)?.intValue,
            let formats = formats, let first = formats.first
        else { throw PixelBufferError(kCVReturnInvalidPixelBufferAttributes) }
        let format = formats.first { PixelFormat($0) != nil } ?? first
        return try PixelLayout(format, width: width, height: height, attributes: dictionary)
    }

    /// The permitted formats, the preferred one first.
    private var formats: [OSType]? {
        let value = dictionary[kCVPixelBufferPixelFormatTypeKey]
        let numbers = (value as? NSNumber).map { [$0] } ?? (value as? NSArray)?.compactMap { $0 as? NSNumber }
        return numbers?.map { OSType(truncatingIfNeeded: $0.int64Value) }
    }
}
