import Foundation
import TuttiServiceHost

/// A request to the running service of some settings, for `tutti serve` itself.
enum ServiceClient {
    /// Sends a request at the service's socket, which only its user and root may open.
    ///
    /// - Parameters:
    ///   - path: A path such as `/access/code`.
    ///   - config: The configuration file that the user has named.
    /// - Returns: The fields of the JSON object that answers.
    /// - Throws: ``RemoteFailure``.
    static func send(
        _ method: String, _ path: String, _ settings: HouseSettings, config: String?
    ) async throws -> [String: Any] {
        let data = try await RemoteService(of: settings, config: config).ask(method, path)
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }
}
