import Dispatch
import Foundation

/// A group of changes of layers; has no effect here, because layers change at once and nothing is animated.
///
/// Callable from any thread.
open class CATransaction: NSObject {
    /// Begins a group; has no effect here.
    open class func begin() {}

    /// Ends a group; has no effect here.
    open class func commit() {}

    /// Makes all changes; has no effect here.
    open class func flush() {}

    /// Takes the lock of all layers; has no effect here: each layer has its own.
    open class func lock() {}

    /// Releases the lock of all layers; has no effect here.
    open class func unlock() {}

    /// Always 0.
    open class func animationDuration() -> TimeInterval { 0 }

    /// Sets the length of animations; accepted and ignored.
    open class func setAnimationDuration(_ dur: TimeInterval) {}

    /// Always `true`: nothing is animated.
    open class func disableActions() -> Bool { true }

    /// Sets whether changes are animated; accepted and ignored.
    open class func setDisableActions(_ flag: Bool) {}

    /// Calls a block on the main queue, soon: there is no animation to wait for.
    @preconcurrency
    open class func setCompletionBlock(_ block: (@Sendable () -> Void)?) {
        if let block { DispatchQueue.main.async(execute: block) }
    }
}
