import CoreMedia
import Foundation
import Synchronization

/// An observation of one timebase's rate changes and jumps, until deallocated.
package final class TimebaseObservation: Sendable {
    private let tokens: Mutex<[any NSObjectProtocol]>

    /// - Parameters:
    ///   - jumped: Called after a jump, before `changed`.
    ///   - changed: Called on the thread that moves the timebase.
    package init(
        _ timebase: CMTimebase, jumped: (@Sendable () -> Void)? = nil,
        changed: @escaping @Sendable () -> Void
    ) {
        let names = [CMTimebase.effectiveRateChanged, CMTimebase.timeJumped]
        tokens = Mutex(
            names.map { name in
                NotificationCenter.default.addObserver(forName: name, object: timebase, queue: nil) { _ in
                    if name == CMTimebase.timeJumped { jumped?() }
                    changed()
                }
            })
    }

    deinit {
        let tokens = tokens.withLock { $0 }
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
}
