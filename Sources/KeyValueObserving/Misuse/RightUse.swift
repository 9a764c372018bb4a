import Foundation

/// Whether a call is one that Apple's frameworks take; where it is not, they raise an exception.
///
/// There are none here: a debug build stops with the words. A release build says them on standard error, once for
/// each place in the code, and the caller goes on as if the call had not been made. Any thread.
///
/// - Parameters:
///   - isRight: what a correct program never makes false.
///   - rule: what programs must keep, in words for their developers.
/// - Returns: `isRight`.
@discardableResult
package func isRightUse(
    _ isRight: Bool, _ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Bool {
    if !isRight {
        assertionFailure(rule(), file: file, line: line)
        MisuseLog.shared.note(rule(), at: "\(file):\(line)")
    }
    return isRight
}

/// Tells of each place of misuse once.
final class MisuseLog: Sendable {
    static let shared = MisuseLog { FileHandle.standardError.write(Data($0.utf8)) }

    /// The places in our own code that have spoken: no more than there are calls of ``isRightUse(_:_:file:line:)``.
    private let places = Guarded<Set<String>>([])
    private let write: @Sendable (String) -> Void

    init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    func note(_ rule: String, at place: String) {
        guard places.withLock({ $0.insert(place).inserted }) else { return }
        write("\(place): ignored: \(rule)\n")
    }
}
