/// The place and the meaning of the alpha component in a pixel.
public enum CGImageAlphaInfo: UInt32, Hashable, Sendable {
    /// No alpha component.
    case none = 0
    /// Alpha in the last component; the colours are multiplied by alpha.
    case premultipliedLast = 1
    /// Alpha in the first component; the colours are multiplied by alpha.
    case premultipliedFirst = 2
    /// Alpha in the last component; the colours are not multiplied by alpha.
    case last = 3
    /// Alpha in the first component; the colours are not multiplied by alpha.
    case first = 4
    /// An unused last component in the place of alpha.
    case noneSkipLast = 5
    /// An unused first component in the place of alpha.
    case noneSkipFirst = 6
    /// Alpha alone, without colours.
    case alphaOnly = 7

    /// The number of components of a pixel, with alpha or its unused place.
    func componentCount(colors: Int) -> Int {
        switch self {
        case .none: colors
        case .alphaOnly: 1
        case .premultipliedLast, .premultipliedFirst, .last, .first, .noneSkipLast, .noneSkipFirst: colors + 1
        }
    }
}

/// The order of the bytes in a pixel, or in a component of more than one byte.
public enum CGImageByteOrderInfo: UInt32, Hashable, Sendable {
    /// The bits that hold the order.
    case orderMask = 0x7000
    /// The order of the components.
    case orderDefault = 0
    /// Little-endian units of 16 bits.
    case order16Little = 0x1000
    /// Little-endian units of 32 bits: the first component is in the last byte.
    case order32Little = 0x2000
    /// Big-endian units of 16 bits.
    case order16Big = 0x3000
    /// Big-endian units of 32 bits: the first component is in the first byte.
    case order32Big = 0x4000
}

/// The layout of the components in a pixel: the place of alpha, the byte order, and whether numbers are
/// floating-point.
public struct CGBitmapInfo: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates a layout from its bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a layout from the place of alpha and the byte order.
    package init(alpha: CGImageAlphaInfo, byteOrder: CGImageByteOrderInfo = .orderDefault) {
        self.init(rawValue: alpha.rawValue | byteOrder.rawValue)
    }

    /// The bits that hold a ``CGImageAlphaInfo``.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
    /// The components are floating-point numbers.
    public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
    /// The bits that hold a ``CGImageByteOrderInfo``.
    public static let byteOrderMask = CGBitmapInfo(byteOrder: .orderMask)
    /// Little-endian units of 16 bits.
    public static let byteOrder16Little = CGBitmapInfo(byteOrder: .order16Little)
    /// Little-endian units of 32 bits: the first component is in the last byte.
    public static let byteOrder32Little = CGBitmapInfo(byteOrder: .order32Little)
    /// Big-endian units of 16 bits.
    public static let byteOrder16Big = CGBitmapInfo(byteOrder: .order16Big)
    /// Big-endian units of 32 bits: the first component is in the first byte.
    public static let byteOrder32Big = CGBitmapInfo(byteOrder: .order32Big)

    private init(byteOrder: CGImageByteOrderInfo) { self.init(rawValue: byteOrder.rawValue) }

    /// The place of alpha; ``CGImageAlphaInfo/none`` if the bits name no place.
    var alphaInfo: CGImageAlphaInfo {
        CGImageAlphaInfo(rawValue: intersection(.alphaInfoMask).rawValue) ?? .none
    }

    /// The byte order; `nil` if the bits name no order.
    var byteOrderInfo: CGImageByteOrderInfo? {
        CGImageByteOrderInfo(rawValue: intersection(.byteOrderMask).rawValue)
    }
}

/// A rule for colours that an output cannot show. Images keep the rule; nothing here applies it.
public enum CGColorRenderingIntent: Int32, Hashable, Sendable {
    /// The rule of the context.
    case defaultIntent = 0
    /// Clips colours, and keeps the white of the source.
    case absoluteColorimetric = 1
    /// Clips colours relative to the white of the output.
    case relativeColorimetric = 2
    /// Compresses the range of colours.
    case perceptual = 3
    /// Keeps the saturation.
    case saturation = 4
}
