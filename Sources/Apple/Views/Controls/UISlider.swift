import Foundation

/// A control that sets a number.
@preconcurrency @MainActor
open class UISlider: UIControl {
    private var stored: Float = 0

    /// The current value, clamped to the limits. Setting it in code sends no event.
    open var value: Float {
        get { stored }
        set { stored = newValue.isNaN ? minimumValue : max(minimumValue, min(newValue, maximumValue)) }
    }

    /// The lower limit. Raises ``maximumValue`` if that is smaller.
    open var minimumValue: Float = 0 {
        didSet {
            if maximumValue < minimumValue { maximumValue = minimumValue }
            value = stored
        }
    }

    /// The upper limit. Lowers ``minimumValue`` if that is larger.
    open var maximumValue: Float = 1 {
        didSet {
            if minimumValue > maximumValue { minimumValue = maximumValue }
            value = stored
        }
    }

    /// Whether events are sent while the thumb moves, or only at the end. Stored for the host toolkit.
    open var isContinuous = true

    /// Sets ``value``.
    ///
    /// - Parameter animated: No effect.
    open func setValue(_ value: Float, animated: Bool) { self.value = value }

    private var thumbImages: [UIControl.State: UIImage] = [:]

    /// Sets the thumb's picture for a state; `nil` removes the picture. A host toolkit may draw it.
    open func setThumbImage(_ image: UIImage?, for state: UIControl.State) { thumbImages[state] = image }

    /// Returns the thumb's picture set for exactly this state.
    open func thumbImage(for state: UIControl.State) -> UIImage? { thumbImages[state] }
}
