import Foundation

/// A push button.
@preconcurrency @MainActor
open class UIButton: UIControl {
    private var titles: [UIControl.State: String] = [:]
    private var images: [UIControl.State: UIImage] = [:]

    /// Sets the title for a state; `nil` removes the title. A host toolkit may show it.
    open func setTitle(_ title: String?, for state: UIControl.State) { titles[state] = title }

    /// Returns the title for a state, or else the title for the normal state.
    open func title(for state: UIControl.State) -> String? { titles[state] ?? titles[.normal] }

    /// Sets the picture for a state; `nil` removes the picture. A host toolkit may draw it.
    open func setImage(_ image: UIImage?, for state: UIControl.State) { images[state] = image }

    /// Returns the picture for a state, or else the picture for the normal state.
    open func image(for state: UIControl.State) -> UIImage? { images[state] ?? images[.normal] }
}
