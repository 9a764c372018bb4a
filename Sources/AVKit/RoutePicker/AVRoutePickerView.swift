import Playback

/// A button that opens the list of outputs.
///
/// Where it leads is `TuttiRoutePicker/presenter`. A host toolkit that shows the view calls
/// ``tuttiPresentRoutes()`` when it is pressed, or sends the events of the `UIButton` inside.
@preconcurrency @MainActor
open class AVRoutePickerView: UIView {
    /// How the button looks at the moment.
    public enum ButtonState: Int, Sendable {
        /// No speaker on the network is used.
        case normal = 0
        /// The same, pressed.
        case normalHighlighted = 1
        /// The sound goes to another device.
        case active = 2
        /// The same, pressed.
        case activeHighlighted = 3
    }

    /// Told when the routes are presented and put away.
    open weak var delegate: (any AVRoutePickerViewDelegate)?

    /// Whether outputs with a screen come first. There are none here: kept, without effect.
    open var prioritizesVideoDevices = false

    /// The button's color while the sound goes to another device; `nil` for the tint color.
    open var activeTintColor: UIColor!

    /// Kept and given back: a host toolkit may draw it.
    open var isRoutePickerButtonBordered = true

    /// The button that opens the list; fills the view.
    private let button = UIButton(frame: .zero)
    private var colors: [ButtonState: UIColor] = [:]

    /// A button that opens the list of routes.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        addButton()
    }

    /// As ``init(frame:)`` with an empty frame: what an archive says of a view is not read.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        addButton()
    }

    private func addButton() {
        button.frame = bounds
        button.addAction(
            UIAction { [weak self] _ in
                // What cannot be shown here is not for the presser of a button to know.
                Task { try? await self?.tuttiPresentRoutes() }
            }, for: .touchUpInside)
        addSubview(button)
    }

    /// In its own coordinates.
    open override var bounds: CGRect {
        didSet { button.frame = CGRect(origin: .zero, size: bounds.size) }
    }

    /// Keeps the button's colour for a state; a host toolkit may draw it.
    open func setRoutePickerButtonColor(_ color: UIColor?, for state: ButtonState) { colors[state] = color }

    /// The button's colour for a state.
    open func routePickerButtonColor(for state: ButtonState) -> UIColor! { colors[state] ?? tintColor }

    /// Opens the list of outputs, and returns when the user is done. Not a name of Apple's.
    ///
    /// The delegate is told before and after. Does nothing while a list is open, from this view or another.
    /// - Throws: when no list can be shown, e.g. without a terminal for the built-in presenter.
    open func tuttiPresentRoutes() async throws(RouteError) {
        guard !TuttiRoutePicker.isPresenting else { return }
        delegate?.routePickerViewWillBeginPresentingRoutes(self)
        defer { delegate?.routePickerViewDidEndPresentingRoutes(self) }
        try await TuttiRoutePicker.present(from: self)
    }
}
