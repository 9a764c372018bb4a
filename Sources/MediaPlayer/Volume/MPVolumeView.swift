import KeyValueObserving
import Playback
import Views

extension NSNotification.Name {
    /// ``MPVolumeView/areWirelessRoutesAvailable`` changed; the object is the view.
    public static let MPVolumeViewWirelessRoutesAvailableDidChange = NSNotification.Name(
        "MPVolumeViewWirelessRoutesAvailableDidChangeNotification")
    /// ``MPVolumeView/isWirelessRouteActive`` changed; the object is the view.
    public static let MPVolumeViewWirelessRouteActiveDidChange = NSNotification.Name(
        "MPVolumeViewWirelessRouteActiveDidChangeNotification")
}

/// A slider for the volume of the outputs that play, and a button that opens the list of outputs.
///
/// Nothing is drawn: a host toolkit shows the `UISlider` and the `UIButton` inside, sets the slider's value
/// and sends the button's events. Where the button leads is `TuttiRoutePicker/presenter`.
@preconcurrency @MainActor
open class MPVolumeView: UIView {
    /// Whether the slider is there.
    open var showsVolumeSlider = true { didSet { slider.isHidden = !showsVolumeSlider } }
    /// Whether the button that opens the route picker is there.
    open var showsRouteButton = true { didSet { routeButton.isHidden = !showsRouteButton } }

    /// Another output than the local one is known.
    open private(set) var areWirelessRoutesAvailable = false
    /// The sound goes to another output than the local one.
    open private(set) var isWirelessRouteActive = false

    private let slider = RouteVolumeSlider(frame: .zero)
    private let routeButton = UIButton(frame: .zero)
    private let poster = NotificationPoster()
    private let routes: any RouteChoosing
    private var observation: RouteObservation?

    /// A view with slider and button.
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

    /// As ``init(frame:)`` with an empty frame: what an archive says of a view is not read.
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
                // What cannot be shown here is not for the presser of a button to know.
                Task { try? await self?.tuttiPresentRoutes() }
            }, for: .touchUpInside)
        observation = routes.observe { [weak self] _ in
            // What is there when the main actor comes to it, so that older news never follows newer.
            Task { @MainActor in self?.refresh() }
        }
        look()
    }

    /// Opens the list of outputs, and returns when the user is done. Not a name of Apple's.
    ///
    /// - Throws: when no list can be shown, e.g. without a terminal for the built-in presenter.
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

    // MARK: Places

    /// In its own coordinates; slider and button are laid out anew.
    open override var bounds: CGRect { didSet { layoutSubviews() } }

    /// Puts the slider left of the button.
    open override func layoutSubviews() {
        slider.frame = volumeSliderRect(forBounds: bounds)
        routeButton.frame = routeButtonRect(forBounds: bounds)
    }

    /// Where the slider is: left of the button.
    open func volumeSliderRect(forBounds bounds: CGRect) -> CGRect {
        let width = max(0, bounds.width - routeButtonRect(forBounds: bounds).width)
        return CGRect(x: bounds.minX, y: bounds.minY, width: width, height: bounds.height)
    }

    /// Where the button is: a square at the right end.
    open func routeButtonRect(forBounds bounds: CGRect) -> CGRect {
        let side = showsRouteButton ? min(bounds.height, bounds.width) : 0
        return CGRect(x: bounds.maxX - side, y: bounds.minY, width: side, height: bounds.height)
    }

    // MARK: Looks, kept for the host toolkit

    private var minimumImages: [UIControl.State: UIImage] = [:]
    private var maximumImages: [UIControl.State: UIImage] = [:]
    /// Kept and given back: a host toolkit may draw it.
    open var volumeWarningSliderImage: UIImage?

    /// Keeps the slider's knob for a state; a host toolkit may draw it.
    open func setVolumeThumbImage(_ image: UIImage?, for state: UIControl.State) {
        slider.setThumbImage(image, for: state)
    }
    /// The slider's knob for a state.
    open func volumeThumbImage(for state: UIControl.State) -> UIImage? { slider.thumbImage(for: state) }

    /// Keeps the track left of the knob for a state; a host toolkit may draw it.
    open func setMinimumVolumeSliderImage(_ image: UIImage?, for state: UIControl.State) {
        minimumImages[state] = image
    }
    /// The track left of the knob for a state.
    open func minimumVolumeSliderImage(for state: UIControl.State) -> UIImage? { minimumImages[state] }

    /// Keeps the track right of the knob for a state; a host toolkit may draw it.
    open func setMaximumVolumeSliderImage(_ image: UIImage?, for state: UIControl.State) {
        maximumImages[state] = image
    }
    /// The track right of the knob for a state.
    open func maximumVolumeSliderImage(for state: UIControl.State) -> UIImage? { maximumImages[state] }

    /// Keeps the route button's picture for a state; a host toolkit may draw it.
    open func setRouteButtonImage(_ image: UIImage?, for state: UIControl.State) {
        routeButton.setImage(image, for: state)
    }
    /// The route button's picture for a state.
    open func routeButtonImage(for state: UIControl.State) -> UIImage? { routeButton.image(for: state) }
}
