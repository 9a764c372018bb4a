import Testing

@testable import TuttiMQTT

@Suite("Names of topics")
struct MQTTTopicTests {
    @Test(
        "a name has neither wildcards nor control characters",
        arguments: [
            ("tutti/house/state", true), ("a", true), ("Küche/x", true), ("", false), ("a/+/b", false),
            ("a/#", false), ("a\nb", false), ("a\u{0}b", false), ("a\u{7F}", false),
            (String(repeating: "x", count: 65_535), true), (String(repeating: "x", count: 65_536), false),
        ])
    func names(text: String, isName: Bool) { #expect(MQTTTopic.isName(text) == isName) }

    @Test(
        "any text becomes one safe level",
        arguments: [
            ("Living Room", "living_room"), ("Küche", "k_che"), ("a/b+c#d", "a_b_c_d"), ("--", ""), ("", ""),
            ("✨", ""), ("_x_", "x"), ("A-1", "a-1"),
            (String(repeating: "ab", count: 100), String(repeating: "ab", count: 24)),
        ])
    func levels(text: String, level: String) {
        #expect(MQTTTopic.level(text) == level)
        #expect(level.isEmpty || MQTTTopic.isName(level))
    }
}
