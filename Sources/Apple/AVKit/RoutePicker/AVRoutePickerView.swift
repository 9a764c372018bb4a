import Playback

/// A view with a button that opens the list of outputs.
///
/// `TuttiRoutePicker.presenter` shows the list. A host toolkit that shows the view calls
/// ``tuttiPresentRoutes()`` when the user presses the button, or sends the events of the `UIButton` inside.
@preconcurrency @MainActor
open class AVRoutePickerView: UIView {
    /// The appearance of the button.
    public enum ButtonState: Int, Sendable {
        /// No network speaker is in use.
        case normal = 0
        /// ``normal``, while the button is pressed.
        case normalHighlighted = 1
        /// The sound goes to another device.
        case active = 2
        /// ``active``, while the button is pressed.
        case activeHighlighted = 3
    }

    /// The delegate, notified when the list of outputs opens and closes.
    open weak var delegate: (any AVRoutePickerViewDelegate)?

    /// Whether outputs with a screen come first. Stored without effect: there are no such outputs.
    open var prioritizesVideoDevices = false

    /// The button's color while the sound goes to another device; `nil` for the tint color.
    open var activeTintColor: UIColor!

    /// Whether the button has a border; stored for the host toolkit.
    open var isRoutePickerButtonBordered = true

    /// The button that opens the list; it fills the view.
    private let button = UIButton(frame: .zero)
    private var colors: [ButtonState: UIColor] = [:]

    /// Creates a view with its button.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        addButton()
    }

    /// Creates a view with an empty frame; ignores the archive's contents.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        addButton()
    }

    private func addButton() {
        button.frame = bounds
        button.addAction(
            UIAction { [weak self] _ in
                // A button press has no way to report a presentation error.
                Task { try? await self?.tuttiPresentRoutes() }
            }, for: .touchUpInside)
        addSubview(button)
    }

    /// The view's rectangle in its own coordinates; the button fills it.
    open override var bounds: CGRect {
        didSet { button.frame = CGRect(origin: .zero, size: bounds.size) }
    }

    /// Stores the button's colour for a state; a host toolkit may draw it.
    open func setRoutePickerButtonColor(_ color: UIColor?, for state: ButtonState) { colors[state] = color }

    /// Returns the button's colour for a state; the tint color by default.
    open func routePickerButtonColor(for state: ButtonState) -> UIColor! { colors[state] ?? tintColor }

    /// Opens the list of outputs and returns when the user is done. Tutti's extension.
    ///
    /// Notifies the delegate before and after. Does nothing while any view has a list open.
    /// - Throws: A `RouteError` if no list can be shown, e.g. without a terminal for the built-in presenter.
    open func tuttiPresentRoutes() async throws(RouteError) {
        guard !TuttiRoutePicker.isPresenting else { return }
        delegate?.routePickerViewWillBeginPresentingRoutes(self)
        defer { delegate?.routePickerViewDidEndPresentingRoutes(self) }
        try await TuttiRoutePicker.present(from: self)
    }
}
