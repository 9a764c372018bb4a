import Foundation

/// A color as red, green, blue and opacity, each 0 ... 1 in the sRGB space.
open class UIColor: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    private let red: CGFloat
    private let green: CGFloat
    private let blue: CGFloat
    private let alpha: CGFloat

    /// Creates a color from its parts, 0 ... 1 each; values outside that range are kept.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        super.init()
    }

    /// Creates a gray from 0, black, to 1, white; `alpha` is the opacity.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Returns the same color with another opacity.
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Writes the parts to the non-`nil` pointers.
    ///
    /// - Returns: Always `true`.
    @discardableResult
    open func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        red?.pointee = self.red
        green?.pointee = self.green
        blue?.pointee = self.blue
        alpha?.pointee = self.alpha
        return true
    }

    /// Returns whether `object` is a color with the same four parts.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return (red, green, blue, alpha) == (other.red, other.green, other.blue, other.alpha)
    }

    /// A hash value, equal for equal colors; differs between runs of the program.
    open override var hash: Int {
        var hasher = Hasher()
        for part in [red, green, blue, alpha] { hasher.combine(part) }
        return hasher.finalize()
    }

    /// The four parts, for a log.
    open override var description: String { "UIColor(\(red), \(green), \(blue), \(alpha))" }
}

extension UIColor {
    /// Black.
    public class var black: UIColor { UIColor(white: 0, alpha: 1) }
    /// A third of the way from black to white, in sRGB values.
    public class var darkGray: UIColor { UIColor(white: 1 / 3, alpha: 1) }
    /// Half of the way from black to white, in sRGB values.
    public class var gray: UIColor { UIColor(white: 0.5, alpha: 1) }
    /// Two thirds of the way from black to white, in sRGB values.
    public class var lightGray: UIColor { UIColor(white: 2 / 3, alpha: 1) }
    /// White.
    public class var white: UIColor { UIColor(white: 1, alpha: 1) }
    /// Transparent black: its opacity is 0.
    public class var clear: UIColor { UIColor(white: 0, alpha: 0) }
    /// Full red.
    public class var red: UIColor { UIColor(red: 1, green: 0, blue: 0, alpha: 1) }
    /// Full green.
    public class var green: UIColor { UIColor(red: 0, green: 1, blue: 0, alpha: 1) }
    /// Full blue.
    public class var blue: UIColor { UIColor(red: 0, green: 0, blue: 1, alpha: 1) }
    /// Full green and blue.
    public class var cyan: UIColor { UIColor(red: 0, green: 1, blue: 1, alpha: 1) }
    /// Full red and green.
    public class var yellow: UIColor { UIColor(red: 1, green: 1, blue: 0, alpha: 1) }
    /// Full red and blue.
    public class var magenta: UIColor { UIColor(red: 1, green: 0, blue: 1, alpha: 1) }
    /// Full red with half green.
    public class var orange: UIColor { UIColor(red: 1, green: 0.5, blue: 0, alpha: 1) }
    /// Half red and half blue.
    public class var purple: UIColor { UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1) }
    /// A dark orange.
    public class var brown: UIColor { UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1) }
    /// The default ``UIView/tintColor`` of interactive elements.
    public class var systemBlue: UIColor { UIColor(red: 0, green: 122 / 255, blue: 1, alpha: 1) }
    /// A softer red, that of UIKit's light appearance.
    public class var systemRed: UIColor { UIColor(red: 1, green: 59 / 255, blue: 48 / 255, alpha: 1) }
    /// A softer green, that of UIKit's light appearance.
    public class var systemGreen: UIColor {
        UIColor(red: 52 / 255, green: 199 / 255, blue: 89 / 255, alpha: 1)
    }
    /// A softer orange, that of UIKit's light appearance.
    public class var systemOrange: UIColor { UIColor(red: 1, green: 149 / 255, blue: 0, alpha: 1) }
    /// A gray with a little blue, that of UIKit's light appearance.
    public class var systemGray: UIColor {
        UIColor(red: 142 / 255, green: 142 / 255, blue: 147 / 255, alpha: 1)
    }
    /// The color of text on the background.
    public class var label: UIColor { .black }
    /// The background color of text: white, because there is no dark appearance here.
    public class var systemBackground: UIColor { .white }
}
