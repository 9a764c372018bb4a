import Foundation

// Lets `as` convert between `AVError` and `NSError` in both directions, also for thrown errors.
extension AVError: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSError

    public func _bridgeToObjectiveC() -> NSError { _nsError }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) {
        _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
    }

    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError, result: inout AVError?
    ) -> Bool {
        result = source.domain == AVFoundationErrorDomain ? AVError(_nsError: source) : nil
        return result != nil
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> AVError {
        var result: AVError?
        if let source { _forceBridgeFromObjectiveC(source, result: &result) }
        return result ?? AVError(.unknown)
    }
}

/// Returns whether an error is an ``AVError`` of this code; lets `catch AVError.decodeFailed` work.
public func ~= (code: AVError.Code, error: any Error) -> Bool {
    (error as? AVError)?.code == code
}
