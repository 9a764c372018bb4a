import Dispatch
import Foundation

/// Posts the notifications of one object: in order, on a queue of its own.
///
/// Not on the thread of the change: Foundation waits for an observer that named a queue, and on the main queue it
/// would wait for itself in a program that serves that queue by `dispatchMain()` or an asynchronous `main`
/// (*observed*, Foundation of Swift 6.3).
package final class NotificationPoster: Sendable {
    private let queue = DispatchQueue(label: "tutti.notifications")

    package init() {}

    /// Returns at once.
    ///
    /// - Parameters:
    ///   - userInfo: made when it is posted.
    ///   - done: called when every observer has returned.
    package func post(
        _ name: NSNotification.Name, of object: any AnyObject & Sendable,
        userInfo: @escaping @Sendable () -> [AnyHashable: Any]? = { nil },
        then done: @escaping @Sendable () -> Void = {}
    ) {
        queue.async {
            NotificationCenter.default.post(name: name, object: object, userInfo: userInfo())
            done()
        }
    }
}
