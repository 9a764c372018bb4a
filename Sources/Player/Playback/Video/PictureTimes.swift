import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// The conversion between a stream's times and item time.
package struct PictureTimes: Sendable, Hashable {
    private let numerator: Int64
    private let denominator: Int32
    /// The container's time at item time 0.
    private let zero: CMTime
    /// Half of the stream's unit if it is coarse, as the milliseconds of Matroska: a picture's stored time may be
    /// earlier or later than its own by this. Zero for units of a whole picture.
    package let tolerance: CMTime
    /// The usual duration of a picture.
    package let usualDuration: CMTime
    /// Whether all pictures seem to be shown equally long.
    let hasConstantRate: Bool

    /// - Parameter zero: The container's time at item time 0.
    package init(_ reader: VideoReader, zero: CMTime) {
        self.init(
            numerator: reader.unitNumerator, denominator: reader.unitDenominator, zero: zero,
            rate: reader.parameters.pictureRate,
            shortest: reader.parameters.shortestDuration.map { Double($0.numerator) / Double($0.denominator) }
        )
    }

    /// - Parameters:
    ///   - numerator: A unit is `numerator / denominator` seconds.
    ///   - rate: Pictures per second on average; 0 if unknown.
    ///   - shortest: Seconds of the shortest picture; `nil` if unknown.
    init(numerator: Int32, denominator: Int32, zero: CMTime, rate: Double, shortest: Double? = nil) {
        (self.numerator, self.denominator, self.zero) = (Int64(numerator), denominator, zero)
        let sensible = rate >= 1 && rate <= 1000 ? rate : 25
        let unit = Double(numerator) / Double(denominator)
        // Containers that count pictures, as AVI, are exact.
        let isCoarse = unit >= 0.000_5 && unit * sensible < 0.5
        tolerance = isCoarse ? CMTime(value: Int64(numerator), timescale: denominator.doubled) : .zero
        hasConstantRate = shortest.map { abs($0 * rate - 1) < 0.001 } ?? false
        usualDuration = CMTime(seconds: 1 / sensible, preferredTimescale: 90_000)
    }

    /// Returns the item time of a stream's time.
    package func itemTime(of value: Int64) -> CMTime {
        let (scaled, overflow) = value.multipliedReportingOverflow(by: numerator)
        guard !overflow else { return .invalid }
        let time = CMTime(value: scaled, timescale: denominator)
        return zero.value == 0 ? time : time - zero
    }

    /// Returns the duration of a number of units; the usual one for none.
    package func duration(of units: Int64) -> CMTime {
        let (scaled, overflow) = units.multipliedReportingOverflow(by: numerator)
        return units > 0 && !overflow ? CMTime(value: scaled, timescale: denominator) : usualDuration
    }

    /// Returns the stream's time of an item time, rounded down.
    package func streamTime(of time: CMTime) -> Int64 {
        let moved = (time + zero).convertScale(denominator, method: .roundTowardNegativeInfinity)
        return moved.isNumeric ? moved.value / numerator : 0
    }
}

extension Int32 {
    /// Twice the number, or the number itself at the end of the range.
    fileprivate var doubled: Int32 { self > .max / 2 ? self : self * 2 }
}
