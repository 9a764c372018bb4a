import Foundation

/// Checks a precondition of the public API, for misuse at which Apple's frameworks raise an exception.
///
/// On misuse a debug build traps with `rule`. A release build writes `rule` to standard error, once per call
/// site of this function; the caller must then return without effect. Callable from any thread.
///
/// - Parameters:
///   - isRight: The precondition; always `true` in a correct program.
///   - rule: The violated rule, as text for the program's developers.
/// - Returns: `isRight`.
@discardableResult
package func checkAPIUse(
    _ isRight: Bool, _ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Bool {
    if !isRight {
        assertionFailure(rule(), file: file, line: line)
        MisuseLog.shared.note(rule(), at: "\(file):\(line)")
    }
    return isRight
}

/// A log that reports each call site of misuse once.
final class MisuseLog: Sendable {
    static let shared = MisuseLog { FileHandle.standardError.write(Data($0.utf8)) }

    /// The reported call sites and warnings; bounded by the calls of ``checkAPIUse(_:_:file:line:)`` in Tutti and the
    /// key paths that the program observes.
    private let places = Guarded<Set<String>>([])
    private let write: @Sendable (String) -> Void

    init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    func note(_ rule: String, at place: String) {
        guard places.withLock({ $0.insert(place).inserted }) else { return }
        write("\(place): ignored: \(rule)\n")
    }

    /// Writes a warning, once for each text.
    func warn(_ text: String) {
        guard places.withLock({ $0.insert(text).inserted }) else { return }
        write("Tutti: \(text)\n")
    }
}
