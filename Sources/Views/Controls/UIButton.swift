import Foundation

/// A control that is pressed.
@preconcurrency @MainActor
open class UIButton: UIControl {
    private var titles: [UIControl.State: String] = [:]
    private var images: [UIControl.State: UIImage] = [:]

    open func setTitle(_ title: String?, for state: UIControl.State) { titles[state] = title }

    open func title(for state: UIControl.State) -> String? { titles[state] ?? titles[.normal] }

    open func setImage(_ image: UIImage?, for state: UIControl.State) { images[state] = image }

    open func image(for state: UIControl.State) -> UIImage? { images[state] ?? images[.normal] }
}
