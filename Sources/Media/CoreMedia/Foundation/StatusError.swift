import Foundation

/// Returns the error object of a nonzero result code.
func statusError(_ status: OSStatus) -> NSError {
    NSError(domain: NSOSStatusErrorDomain, code: Int(status))
}

/// Throws the error object of `status` unless the code is zero.
func check(_ status: OSStatus) throws(NSError) {
    if status != noErr { throw statusError(status) }
}

/// Runs `body` and returns its error's code; zero if `body` does not throw.
func status(of body: () throws -> Void) -> OSStatus {
    do {
        try body()
        return noErr
    } catch {
        // This module throws only `NSError`; a client's own error may have code zero, which must not mean
        // success.
        let code = OSStatus(truncatingIfNeeded: (error as NSError).code)
        return code == noErr ? -1 : code
    }
}
