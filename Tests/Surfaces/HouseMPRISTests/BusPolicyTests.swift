import Foundation
import Testing
import TuttiTestSupport

@Suite struct BusPolicyTests {
    @Test("on the system bus, everybody may ask for properties alone, which are small")
    func everybody() throws {
        let text = try String(contentsOf: ProjectFolder.url(of: "packaging/tutti.dbus.conf"), encoding: .utf8)
        let start = try #require(text.range(of: "<policy context=\"default\">"))
        let rules = text[start.upperBound...].components(separatedBy: "<allow").dropFirst()
        #expect(rules.count == 4)
        for rule in rules {
            #expect(rule.contains("send_interface=\"org.freedesktop.DBus."))
            #expect(!rule.contains("\"Set\""))
        }
        let properties = rules.filter { $0.contains("DBus.Properties") }
        #expect(properties.allSatisfy { $0.contains("send_member=\"Get") })
    }
}
