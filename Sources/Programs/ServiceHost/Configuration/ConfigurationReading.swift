import Glibc
import TuttiSystemIO

/// The result of reading the configuration.
package struct ConfigurationReading: Equatable, Sendable {
    /// The source of a value that is not the default.
    package enum Origin: Hashable, Sendable {
        /// A line of the file.
        case line(Int)
        /// An environment variable.
        case variable(String)
    }

    /// The settings.
    package var settings: HouseSettings
    /// The file; `nil` if there is none.
    package var path: String?
    /// Sentences about settings that are valid, but probably not meant.
    package var warnings: [String] = []
    /// The sources of the values that are set, by ``ConfigurationKey/id``.
    package var origins: [String: Origin] = [:]
}

extension HouseSettings {
    /// Reads the configuration file, then the environment's overrides.
    ///
    /// - Parameters:
    ///   - path: The file, which must exist; `nil` for the first of ``standardPaths(environment:)`` that exists, else
    ///     for the environment alone.
    ///   - environment: The environment variables.
    ///   - hostName: The name of this machine.
    /// - Throws: All mistakes, not only the first.
    package static func read(
        path: String?, environment: [String: String], hostName: String = hostName()
    ) throws(ConfigurationError) -> ConfigurationReading {
        let candidates = path.map { [$0] } ?? standardPaths(environment: environment)
        for candidate in candidates {
            guard let bytes = try bytes(of: candidate) else { continue }
            return try read(bytes, path: candidate, environment: environment, hostName: hostName)
        }
        if let path {
            let message = "\(path) does not exist; 'tutti config example' prints one to begin with"
            throw ConfigurationError(path: path, problems: [ConfigurationProblem(.file, message)])
        }
        return try read([], path: nil, environment: environment, hostName: hostName)
    }

    /// The files that are looked for without `--config`: the user's, then the machine's.
    package static func standardPaths(environment: [String: String]) -> [String] {
        let own = PrivateFolder.below("XDG_CONFIG_HOME", or: ".config", "tutti", environment: environment)
        return [own.map { "\($0.path)/tutti.toml" }, "/etc/tutti/tutti.toml"].compactMap(\.self)
    }

    /// The name of this machine without its domain, or `tutti`.
    package static func hostName() -> String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "tutti" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let label = text.prefix { $0 != "." }
        return label.isEmpty ? "tutti" : String(label)
    }

    /// Reads a file's bytes, then the environment's overrides.
    static func read(
        _ bytes: [UInt8], path: String?, environment: [String: String], hostName: String
    ) throws(ConfigurationError) -> ConfigurationReading {
        var check = ConfigurationCheck(
            settings: HouseSettings(name: hostName, database: defaultDatabase(environment) ?? ""),
            path: path, environment: environment)
        check.take(ConfigurationDocument(bytes))
        check.takeEnvironment()
        return try check.result()
    }

    private static func bytes(of path: String) throws(ConfigurationError) -> [UInt8]? {
        do throws(PrivateFileError) {
            return try PrivateFile(path: path).readShared()?.bytes
        } catch {
            throw ConfigurationError(path: path, problems: [ConfigurationProblem(.file, error.description)])
        }
    }

    private static func defaultDatabase(_ environment: [String: String]) -> String? {
        // The service manager separates several folders by colons.
        let given = environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
        if let given, given.hasPrefix("/") { return given }
        return PrivateFolder.below(
            "XDG_STATE_HOME", or: ".local/state", "tutti/house", environment: environment
        )?.path
    }
}
