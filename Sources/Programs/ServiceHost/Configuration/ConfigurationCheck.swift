import TuttiCommandLineInterface
import TuttiSystemIO

/// A check of the configuration's values against their declaration, which collects all mistakes.
struct ConfigurationCheck {
    private var reading: ConfigurationReading
    private var problems: [ConfigurationProblem] = []
    private let environment: [String: String]

    init(settings: HouseSettings, path: String?, environment: [String: String]) {
        reading = ConfigurationReading(settings: settings, path: path)
        self.environment = environment
    }

    // MARK: The file

    /// Stores the values of the file.
    mutating func take(_ document: ConfigurationDocument) {
        problems += document.problems
        for table in document.tables where !Self.tableNames.contains(table.name) {
            let advice = Self.advice(for: table.name, among: Self.tableNames) { "[\($0)]" }
            report(table.position, "unknown table [\(table.name)]" + advice)
        }
        for entry in document.entries where entry.table.isEmpty || Self.tableNames.contains(entry.table) {
            take(entry)
        }
        problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    private mutating func take(_ entry: ConfigurationDocument.Entry) {
        guard !entry.table.isEmpty else {
            let table = ConfigurationDeclaration.keys.first { $0.name == entry.key }?.table ?? "table"
            return report(entry.position, "'\(entry.key)' belongs to a table; write [\(table)] above it")
        }
        guard let key = ConfigurationDeclaration.key(entry.table, entry.key) else {
            return report(entry.position, Self.unknown(entry))
        }
        let base = reading.path.map(ConfigurationPaths.folder)
        if let objection = store(entry.value, of: key, relativeTo: base) {
            return report(entry.valuePosition, "\(key.spelled) \(objection)")
        }
        reading.origins[key.id] = .line(entry.position.line)
    }

    private static func unknown(_ entry: ConfigurationDocument.Entry) -> String {
        let names = ConfigurationDeclaration.keys.filter { $0.table == entry.table }.map(\.name)
        var advice = advice(for: entry.key, among: names) { "'\($0)'" }
        if let other = ConfigurationDeclaration.keys.first(where: { $0.name == entry.key }) {
            advice = "; it belongs to [\(other.table)]"
        }
        return "unknown key '\(entry.key)' in [\(entry.table)]" + advice
    }

    // MARK: The environment

    /// Stores the values of the environment's overrides.
    mutating func takeEnvironment() {
        for key in ConfigurationDeclaration.keys {
            guard let text = environment[key.variable] else { continue }
            guard let value = ConfigurationOverride.value(of: text, key.kind) else {
                reading.warnings.append("\(key.variable) is empty and therefore ignored.")
                continue
            }
            if let objection = store(value, of: key, relativeTo: nil) {
                problems.append(ConfigurationProblem(.variable(key.variable), objection))
            } else {
                reading.origins[key.id] = .variable(key.variable)
            }
        }
        reading.warnings += unknownVariables()
    }

    /// Sentences about variables that look like overrides.
    private func unknownVariables() -> [String] {
        let known = ConfigurationDeclaration.keys.map(\.variable)
        let prefixes = Self.tableNames.map { "\(ConfigurationKey.variablePrefix)\($0.uppercased())_" }
        return environment.keys.sorted()
            .filter { name in !known.contains(name) && prefixes.contains { name.hasPrefix($0) } }
            .prefix(ConfigurationError.problemLimit)
            .map { name in
                let advice = Self.advice(for: name, among: known) { $0 }
                return Printable.text("\(name) is no setting" + (advice.isEmpty ? "; unset it." : advice))
            }
    }

    // MARK: The result

    /// Returns the settings and the warnings.
    consuming func result() throws(ConfigurationError) -> ConfigurationReading {
        if reading.settings.service.database.isEmpty {
            let advice = "set [service] database, or HOME"
            problems.append(ConfigurationProblem(.file, "there is no folder for the state; \(advice)"))
        }
        let (web, mpd) = (reading.settings.web, reading.settings.mpd)
        if web.enabled, web.addresses.isEmpty { reportNoAddresses(of: "web") }
        if mpd.enabled, mpd.addresses.isEmpty { reportNoAddresses(of: "mpd") }
        guard problems.isEmpty else { throw ConfigurationError(path: reading.path, problems: problems) }
        reading.warnings += reading.settings.warnings
        return reading
    }

    private mutating func store(
        _ value: ConfigurationValue, of key: ConfigurationKey, relativeTo base: String?
    ) -> String? {
        let paths = ConfigurationPaths(home: environment["HOME"], base: base)
        do throws(ConfigurationPaths.Failure) {
            return key.store(try paths.expand(value, key.kind), in: &reading.settings)
        } catch {
            return error.objection
        }
    }

    private mutating func reportNoAddresses(of table: String) {
        let advice = "write \"*\" for all, or [\(table)] enabled = false"
        problems.append(ConfigurationProblem(.file, "[\(table)] addresses is empty; \(advice)"))
    }

    private mutating func report(_ position: ConfigurationDocument.Position, _ message: String) {
        problems.append(ConfigurationProblem(position.place, message))
    }

    private static func advice(
        for word: String, among words: [String], _ spelled: (String) -> String
    ) -> String {
        if let nearest = Suggestion.nearest(to: word, among: words) {
            return "; did you mean \(spelled(nearest))?"
        }
        return words.count <= 12 ? "; known are \(words.map(spelled).joined(separator: ", "))" : ""
    }

    private static let tableNames = ConfigurationDeclaration.tables.map(\.name)
}

extension HouseSettings {
    /// Sentences about settings that are valid, but probably not meant.
    var warnings: [String] {
        guard web.enabled, web.access == .open else { return [] }
        let isReachable = web.addresses.contains { address in
            if case .address(let address) = address { !address.isLoopback } else { true }
        }
        let words =
            isReachable
            ? "lets every machine that reaches port \(web.port) control the house; \"token\" asks for a code once."
            : "has no effect, because [web] addresses has only addresses of this machine itself."
        return ["[web] access = \"open\" \(words)"]
    }
}
