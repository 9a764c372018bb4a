import Foundation

/// A control that sets a number.
@preconcurrency @MainActor
open class UISlider: UIControl {
    private var stored: Float = 0

    /// Held between the limits. Setting it in code sends no event.
    open var value: Float {
        get { stored }
        set { stored = newValue.isNaN ? minimumValue : max(minimumValue, min(newValue, maximumValue)) }
    }

    /// Moves the ``maximumValue`` too, when that is smaller.
    open var minimumValue: Float = 0 {
        didSet {
            if maximumValue < minimumValue { maximumValue = minimumValue }
            value = stored
        }
    }

    /// Moves the ``minimumValue`` too, when that is larger.
    open var maximumValue: Float = 1 {
        didSet {
            if minimumValue > maximumValue { minimumValue = maximumValue }
            value = stored
        }
    }

    /// Whether the event comes while the thumb moves, or only at the end. For the host toolkit.
    open var isContinuous = true

    /// Sets ``value``.
    ///
    /// - Parameter animated: has no effect.
    open func setValue(_ value: Float, animated: Bool) { self.value = value }

    private var thumbImages: [UIControl.State: UIImage] = [:]

    /// Keeps the knob's picture for a state, or takes it away with `nil`; a host toolkit may draw it.
    open func setThumbImage(_ image: UIImage?, for state: UIControl.State) { thumbImages[state] = image }

    /// The knob's picture that was set for just this state.
    open func thumbImage(for state: UIControl.State) -> UIImage? { thumbImages[state] }
}
