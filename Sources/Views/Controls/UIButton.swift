import Foundation

/// A control that is pressed.
@preconcurrency @MainActor
open class UIButton: UIControl {
    private var titles: [UIControl.State: String] = [:]
    private var images: [UIControl.State: UIImage] = [:]

    /// Keeps the words for a state, or takes them away with `nil`; a host toolkit may show them.
    open func setTitle(_ title: String?, for state: UIControl.State) { titles[state] = title }

    /// The words for a state, or those for the normal one when it has none.
    open func title(for state: UIControl.State) -> String? { titles[state] ?? titles[.normal] }

    /// Keeps the picture for a state, or takes it away with `nil`; a host toolkit may draw it.
    open func setImage(_ image: UIImage?, for state: UIControl.State) { images[state] = image }

    /// The picture for a state, or that for the normal one when it has none.
    open func image(for state: UIControl.State) -> UIImage? { images[state] ?? images[.normal] }
}
