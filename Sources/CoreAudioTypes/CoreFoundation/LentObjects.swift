import Foundation

/// The objects whose addresses C-style functions gave out, each kept as long as its container.
///
/// Foundation on Linux makes an object anew each time that a container is asked for a value that bridges to
/// Swift; its address alone would dangle at once. Memory: one object for each place of a container that is
/// alive and was asked. Any thread.
final class LentObjects: @unchecked Sendable {
    // Safe to share: everything that changes is touched with `lock` held, and an object is only kept, not used.

    static let shared = LentObjects()

    private final class Loan {
        weak var container: NSObject?
        var objects: [NSObject: AnyObject] = [:]

        init(_ container: NSObject) { self.container = container }
    }

    private let lock = NSLock()
    private var loans: [ObjectIdentifier: Loan] = [:]
    /// Containers that are gone are forgotten when there are this many.
    private var sweepCount = 64

    /// The address of a value of `container`, the same one as long as an equal value is at that place.
    func address(of value: Any, in container: NSObject, at place: NSObject) -> UnsafeRawPointer {
        let object = value as AnyObject
        lock.lock()
        defer { lock.unlock() }
        let loan = loan(to: container)
        if let lent = loan.objects[place], lent === object || !isMutable(object) && isEqual(lent, object) {
            return UnsafeRawPointer(Unmanaged.passUnretained(lent).toOpaque())
        }
        loan.objects[place] = object
        return UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    private func isMutable(_ object: AnyObject) -> Bool {
        object is NSMutableDictionary || object is NSMutableArray || object is NSMutableString
    }

    private func loan(to container: NSObject) -> Loan {
        let key = ObjectIdentifier(container)
        // Another object may have come to the place of one that is gone.
        if let loan = loans[key], loan.container === container { return loan }
        if loans.count >= sweepCount {
            loans = loans.filter { $0.value.container != nil }
            sweepCount = max(64, loans.count * 2)
        }
        let loan = Loan(container)
        loans[key] = loan
        return loan
    }
}
