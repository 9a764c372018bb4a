import Testing

@testable import TuttiDBus

@Suite struct BusValueTests {
    @Test(
        "a value spells its type",
        arguments: [
            (BusValue.byte(1), "y"), (.boolean(true), "b"), (.int16(1), "n"), (.uint16(1), "q"),
            (.int32(1), "i"), (.uint32(1), "u"), (.int64(1), "x"), (.uint64(1), "t"), (.double(1), "d"),
            (.string(""), "s"), (.objectPath("/"), "o"), (.signature(""), "g"), (.strings([]), "as"),
            (.objectPaths(["/a"]), "ao"), (.properties([:]), "a{sv}"),
            (.structure([.int32(1), .strings(["a"])]), "(ias)"), (.variant(.double(1)), "v"),
        ])
    func signature(_ value: BusValue, _ signature: String) {
        #expect(value.typeSignature == signature)
    }

    @Test("properties are sorted by name")
    func properties() {
        let value = BusValue.properties(["b": .int32(2), "a": .int32(1)])
        #expect(
            value.elements == [
                .entry(.string("a"), .variant(.int32(1))), .entry(.string("b"), .variant(.int32(2))),
            ])
    }

    @Test(
        "an object path has parts of letters, digits and underscores",
        arguments: [
            ("/", true), ("/a", true), ("/a/B_9", true), ("", false), ("a", false), ("//", false),
            ("/a/", false), ("/a-b", false), ("/ä", false), ("/a b", false),
        ])
    func objectPath(_ text: String, _ isPath: Bool) {
        #expect(BusName.isObjectPath(text) == isPath)
    }

    @Test("a part of a name replaces other characters, and begins with no digit")
    func part() {
        #expect(BusName.part("My-Player.x") == "My_Player_x")
        #expect(BusName.part("7up") == "_7up")
        #expect(BusName.part("") == "_")
        #expect(BusName.part(String(repeating: "a", count: 300)).utf8.count == 64)
    }
}
