import Foundation
import Testing
import TuttiTestSupport

@testable import TuttiServiceHost

@Suite("The declaration of the keys")
struct ConfigurationDeclarationTests {
    @Test("every key has a table, a name and a variable of its own, and sentences")
    func declaration() {
        let keys = ConfigurationDeclaration.keys
        #expect(Set(keys.map(\.id)).count == keys.count)
        #expect(Set(keys.map(\.variable)).count == keys.count)
        let tables = Set(ConfigurationDeclaration.tables.map(\.name))
        for key in keys {
            #expect(tables.contains(key.table))
            #expect(key.help.hasSuffix("."))
            #expect(key.value(in: ConfigurationExample.defaults) != nil || key.defaultWords != nil)
        }
        #expect(
            ConfigurationDeclaration.key("web", "trust-this-machine")?.variable
                == "TUTTI_WEB_TRUST_THIS_MACHINE")
    }

    @Test("every default and every example is valid", arguments: ConfigurationDeclaration.keys.map(\.id))
    func examples(id: String) throws {
        let key = try #require(ConfigurationDeclaration.keys.first { $0.id == id })
        var settings = ConfigurationExample.defaults
        for value in [key.example, key.defaultWords == nil ? key.value(in: settings) : nil].compactMap(\.self)
        {
            #expect(key.store(value, in: &settings) == nil)
            #expect(key.value(in: settings) == value)
        }
    }

    @Test("the example says the same as an empty file, and is valid without its comment signs")
    func example() throws {
        let environment = ["HOME": "/home/ann"]
        let text = ConfigurationExample.text
        let reading = try HouseSettings.read(
            Array(text.utf8), path: nil, environment: environment, hostName: "attic")
        let empty = try HouseSettings.read([], path: nil, environment: environment, hostName: "attic")
        #expect(reading.settings == empty.settings)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let all = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }
        let whole = try HouseSettings.read(
            Array(all.joined(separator: "\n").utf8), path: nil, environment: environment, hostName: "attic")
        #expect(whole.origins.count == ConfigurationDeclaration.keys.count)
    }

    @Test("the listing of settings is a file that gives the same settings")
    func listing() throws {
        let environment = ["HOME": "/home/ann", "TUTTI_WEB_PORT": "8500"]
        let file = Array("[service]\nname = \"The \\\"house\\\"\"\n[library]\nmusic = ['/a', '/b']".utf8)
        let reading = try HouseSettings.read(
            file, path: "/t.toml", environment: environment, hostName: "attic")
        let lines = ConfigurationListing(reading).lines
        #expect(lines.contains("port = 8500                             # TUTTI_WEB_PORT"))
        #expect(lines.contains("name = \"The \\\"house\\\"\"                  # line 2"))
        #expect(lines.contains("# default-volume is not set: the speaker's own volume"))
        let again = try HouseSettings.read(
            Array(lines.joined(separator: "\n").utf8), path: "/t.toml", environment: [:], hostName: "other")
        #expect(again.settings == reading.settings)
    }

    /// The files that the program prints, and their places in the package.
    static let generated: [(path: String, command: String, text: String)] = [
        ("packaging/tutti.toml", "tutti config example", ConfigurationExample.text),
        ("docs/man/tutti.conf.5", "tutti config manual", ConfigurationManual.text),
    ]

    @Test("a generated file is up to date", arguments: generated)
    func generatedFile(path: String, command: String, text: String) throws {
        let found = try String(contentsOf: ProjectFolder.url(of: path), encoding: .utf8)
        #expect(found == text, "renew it: \(command) > \(path)")
    }
}
