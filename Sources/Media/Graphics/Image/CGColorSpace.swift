import Foundation

/// The kind of the colours in a colour space.
public enum CGColorSpaceModel: Int32, Hashable, Sendable {
    /// An unknown kind.
    case unknown = -1
    /// Shades of grey.
    case monochrome = 0
    /// Red, green and blue.
    case rgb = 1
}

/// The meaning of an image's colour components: a name, without conversion between spaces.
public final class CGColorSpace: Sendable {
    /// The name of a space in which a red, green and blue are those of sRGB.
    public static var sRGB: NSString { Known.sRGB.rawValue as NSString }
    /// The name of the sRGB space with a linear transfer function.
    public static var linearSRGB: NSString { Known.linearSRGB.rawValue as NSString }
    /// The name of the space with the primaries of DCI-P3, the white D65 and sRGB's transfer function.
    public static var displayP3: NSString { Known.displayP3.rawValue as NSString }
    /// The name of ITU-R BT.709's space.
    public static var itur_709: NSString { Known.itur709.rawValue as NSString }
    /// The name of ITU-R BT.2020's space.
    public static var itur_2020: NSString { Known.itur2020.rawValue as NSString }
    /// The name of ITU-R BT.2100's space with the PQ transfer function.
    public static var itur_2100_PQ: NSString { Known.itur2100PQ.rawValue as NSString }
    /// The name of ITU-R BT.2100's space with the HLG transfer function.
    public static var itur_2100_HLG: NSString { Known.itur2100HLG.rawValue as NSString }
    /// The name of the grey space with a gamma of 2.2.
    public static var genericGrayGamma2_2: NSString { Known.genericGrayGamma22.rawValue as NSString }

    private enum Known: String {
        case sRGB = "kCGColorSpaceSRGB"
        case linearSRGB = "kCGColorSpaceLinearSRGB"
        case displayP3 = "kCGColorSpaceDisplayP3"
        case itur709 = "kCGColorSpaceITUR_709"
        case itur2020 = "kCGColorSpaceITUR_2020"
        case itur2100PQ = "kCGColorSpaceITUR_2100_PQ"
        case itur2100HLG = "kCGColorSpaceITUR_2100_HLG"
        case genericGrayGamma22 = "kCGColorSpaceGenericGrayGamma2_2"
    }

    private let text: String?
    /// The kind of the colours.
    public let model: CGColorSpaceModel

    fileprivate init(device model: CGColorSpaceModel) {
        text = nil
        self.model = model
    }

    /// Creates one of the named spaces; `nil` for another name.
    public init?(name: NSString) {
        guard let known = Known(rawValue: "\(name)") else { return nil }
        text = known.rawValue
        model = known == .genericGrayGamma22 ? .monochrome : .rgb
    }

    /// The name; `nil` for a space of the device.
    public var name: NSString? { text.map { NSString(string: $0) } }

    /// The number of colour components, without alpha.
    public var numberOfComponents: Int {
        switch model {
        case .unknown: 0
        case .monochrome: 1
        case .rgb: 3
        }
    }
}

extension CGColorSpace: Hashable {
    /// Returns whether both spaces have the same name and kind.
    public static func == (left: CGColorSpace, right: CGColorSpace) -> Bool {
        left.text == right.text && left.model == right.model
    }

    /// Hashes the name and the kind.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(model)
    }
}

/// Creates a red, green and blue space without a name.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(device: .rgb) }

/// Creates a grey space without a name.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(device: .monochrome) }
