import Foundation

/// The objects whose addresses C-style functions have returned, each kept as long as its container.
///
/// Foundation on Linux creates a new object each time a container returns a value that bridges to Swift; the
/// address alone would dangle immediately. Memory: one object for each requested place of each live
/// container. Any thread may call.
final class LentObjects: @unchecked Sendable {
    // Safe to share: `lock` guards everything that changes.

    static let shared = LentObjects()

    private final class Loan {
        weak var container: NSObject?
        var objects: [NSObject: AnyObject] = [:]

        init(_ container: NSObject) { self.container = container }
    }

    private let lock = NSLock()
    private var loans: [ObjectIdentifier: Loan] = [:]
    /// The number of containers at which released ones are evicted.
    private var sweepCount = 64

    /// Returns the address of a value of `container`. The address stays while an equal value is at `place`;
    /// for a mutable object, while the same object is.
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
        // A new container may have the address of a released one.
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
