import Playback
import TuttiKeyValueObserving
import TuttiViews

extension NSNotification.Name {
    /// Posted after a change of ``MPVolumeView/areWirelessRoutesAvailable``; the object is the view. Any
    /// thread.
    public static let MPVolumeViewWirelessRoutesAvailableDidChange = NSNotification.Name(
        "MPVolumeViewWirelessRoutesAvailableDidChangeNotification")
    /// Posted after a change of ``MPVolumeView/isWirelessRouteActive``; the object is the view. Any thread.
    public static let MPVolumeViewWirelessRouteActiveDidChange = NSNotification.Name(
        "MPVolumeViewWirelessRouteActiveDidChangeNotification")
}

/// A view with a slider for the volume of the selected outputs, and a button that opens the list of outputs.
///
/// The view draws nothing: a host toolkit shows the `UISlider` and the `UIButton` inside, sets the slider's
/// value and sends the button's events. `TuttiRoutePicker.presenter` shows the list.
@preconcurrency @MainActor
open class MPVolumeView: UIView {
    /// Whether the view shows the slider.
    open var showsVolumeSlider = true { didSet { slider.isHidden = !showsVolumeSlider } }
    /// Whether the view shows the route button.
    open var showsRouteButton = true { didSet { routeButton.isHidden = !showsRouteButton } }

    /// Whether any non-local output is known.
    open private(set) var areWirelessRoutesAvailable = false
    /// Whether a non-local output is selected.
    open private(set) var isWirelessRouteActive = false

    private let slider = RouteVolumeSlider(frame: .zero)
    private let routeButton = UIButton(frame: .zero)
    private let poster = NotificationPoster()
    private let routes: any RouteChoosing
    private var observation: RouteObservation?

    /// Creates a view with slider and button.
    public override init(frame: CGRect) {
        routes = CurrentRoutes.shared
        super.init(frame: frame)
        prepare()
    }

    init(frame: CGRect, routes: any RouteChoosing) {
        self.routes = routes
        super.init(frame: frame)
        prepare()
    }

    /// Creates a view with an empty frame; ignores the archive's contents.
    public required init?(coder: NSCoder) {
        routes = CurrentRoutes.shared
        super.init(coder: coder)
        prepare()
    }

    private func prepare() {
        slider.routes = routes
        addSubview(slider)
        addSubview(routeButton)
        layoutSubviews()
        routeButton.addAction(
            UIAction { [weak self] _ in
                // A button press has no way to report a presentation error.
                Task { try? await self?.tuttiPresentRoutes() }
            }, for: .touchUpInside)
        observation = routes.observe { [weak self] _ in
            // Read the state on the main actor, so that an older observation never overrides a newer state.
            Task { @MainActor in self?.refresh() }
        }
        look()
    }

    /// Opens the list of outputs and returns when the user is done. Tutti's extension.
    ///
    /// - Throws: A `RouteError` if no list can be shown, e.g. without a terminal for the built-in presenter.
    open func tuttiPresentRoutes() async throws(RouteError) { try await TuttiRoutePicker.present(from: self) }

    private func look() {
        let options = routes.options
        slider.show(options)
        areWirelessRoutesAvailable = options.contains { $0.kind != .local }
        isWirelessRouteActive = options.contains { $0.kind != .local && $0.isSelected }
    }

    private func refresh() {
        let (available, active) = (areWirelessRoutesAvailable, isWirelessRouteActive)
        look()
        if areWirelessRoutesAvailable != available {
            poster.post(.MPVolumeViewWirelessRoutesAvailableDidChange, of: self)
        }
        if isWirelessRouteActive != active {
            poster.post(.MPVolumeViewWirelessRouteActiveDidChange, of: self)
        }
    }

    // MARK: Layout

    /// The view's rectangle in its own coordinates; a change lays out slider and button.
    open override var bounds: CGRect { didSet { layoutSubviews() } }

    /// Lays out the slider left of the button.
    open override func layoutSubviews() {
        slider.frame = volumeSliderRect(forBounds: bounds)
        routeButton.frame = routeButtonRect(forBounds: bounds)
    }

    /// Returns the slider's rectangle, left of the button.
    open func volumeSliderRect(forBounds bounds: CGRect) -> CGRect {
        let width = max(0, bounds.width - routeButtonRect(forBounds: bounds).width)
        return CGRect(x: bounds.minX, y: bounds.minY, width: width, height: bounds.height)
    }

    /// Returns the button's rectangle, a square at the right end; empty while the button is hidden.
    open func routeButtonRect(forBounds bounds: CGRect) -> CGRect {
        let side = showsRouteButton ? min(bounds.height, bounds.width) : 0
        return CGRect(x: bounds.maxX - side, y: bounds.minY, width: side, height: bounds.height)
    }

    // MARK: Appearance, stored for the host toolkit

    private var minimumImages: [UIControl.State: UIImage] = [:]
    private var maximumImages: [UIControl.State: UIImage] = [:]
    /// The image of the volume warning; a host toolkit may draw it.
    open var volumeWarningSliderImage: UIImage?

    /// Stores the slider's thumb image for a state; a host toolkit may draw it.
    open func setVolumeThumbImage(_ image: UIImage?, for state: UIControl.State) {
        slider.setThumbImage(image, for: state)
    }
    /// Returns the slider's thumb image for a state.
    open func volumeThumbImage(for state: UIControl.State) -> UIImage? { slider.thumbImage(for: state) }

    /// Stores the image of the track left of the thumb for a state; a host toolkit may draw it.
    open func setMinimumVolumeSliderImage(_ image: UIImage?, for state: UIControl.State) {
        minimumImages[state] = image
    }
    /// Returns the image of the track left of the thumb for a state.
    open func minimumVolumeSliderImage(for state: UIControl.State) -> UIImage? { minimumImages[state] }

    /// Stores the image of the track right of the thumb for a state; a host toolkit may draw it.
    open func setMaximumVolumeSliderImage(_ image: UIImage?, for state: UIControl.State) {
        maximumImages[state] = image
    }
    /// Returns the image of the track right of the thumb for a state.
    open func maximumVolumeSliderImage(for state: UIControl.State) -> UIImage? { maximumImages[state] }

    /// Stores the route button's image for a state; a host toolkit may draw it.
    open func setRouteButtonImage(_ image: UIImage?, for state: UIControl.State) {
        routeButton.setImage(image, for: state)
    }
    /// Returns the route button's image for a state.
    open func routeButtonImage(for state: UIControl.State) -> UIImage? { routeButton.image(for: state) }
}
