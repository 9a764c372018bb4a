import Dispatch
import Foundation

/// A poster of notifications, in order, on its own serial queue.
///
/// Posting on the thread of the change could deadlock: Foundation waits for an observer that named an
/// operation queue, and on the main queue of a program with `dispatchMain()` or an asynchronous `main` it
/// would wait for itself (*observed*, Foundation of Swift 6.3).
package final class NotificationPoster: Sendable {
    private let queue = DispatchQueue(label: "tutti.notifications")

    /// Creates a poster without pending notifications.
    package init() {}

    /// Posts a notification without blocking.
    ///
    /// - Parameters:
    ///   - userInfo: Called on the queue, just before posting.
    ///   - done: Called on the queue after every observer has returned.
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
