/// The width of a pixel divided by its height, as a fraction.
public struct PixelAspect: Hashable, Sendable {
    /// Pixels as wide as high.
    public static let square = PixelAspect(known: 1, 1)
    /// Ratios beyond these are not a camera's or a film's, but damaged data.
    static let range = 1.0 / 16...16.0

    /// The width of a pixel, in any unit.
    public let numerator: Int
    /// The height of a pixel, in the same unit.
    public let denominator: Int

    /// Creates an aspect; square if the fraction is not positive or lies beyond 1:16 ... 16:1.
    public init(_ numerator: Int, _ denominator: Int) {
        guard numerator > 0, denominator > 0, Self.range.contains(Double(numerator) / Double(denominator))
        else {
            self = .square
            return
        }
        self.init(known: numerator, denominator)
    }

    private init(known numerator: Int, _ denominator: Int) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    var ratio: Double { Double(numerator) / Double(denominator) }
}
