import CoreAudioTypes
import Testing

@Suite("Edges of the container functions in the C spelling")
struct ContainerEdgesTests {
    private func address(_ object: NSObject) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    @Test("missing containers, keys and values are an empty answer, not a trap")
    func nothing() {
        let key: CFString = "key" as NSString
        let name = address(key)
        #expect(CFDictionaryGetCount(nil) == 0 && CFArrayGetCount(nil) == 0)
        #expect(CFDictionaryGetValue(nil, name) == nil && !CFDictionaryContainsKey(nil, name))
        #expect(CFArrayGetValueAtIndex(nil, 0) == nil)
        #expect(!CFArrayContainsValue(nil, CFRangeMake(0, 1), name))
        #expect(!CFBooleanGetValue(nil))
        let dictionary = NSMutableDictionary()
        CFDictionarySetValue(nil, name, name)
        CFDictionarySetValue(dictionary, nil, name)
        CFDictionarySetValue(dictionary, name, nil)
        CFDictionaryAddValue(dictionary, nil, name)
        CFDictionaryRemoveValue(dictionary, nil)
        CFDictionaryRemoveValue(dictionary, name)
        CFDictionaryRemoveAllValues(nil)
        #expect(CFDictionaryGetCount(dictionary) == 0)
        #expect(CFDictionaryGetValue(dictionary, nil) == nil && !CFDictionaryContainsKey(dictionary, nil))
    }

    @Test("a lookup that fails leaves the caller's place alone")
    func absent() {
        let dictionary = ["a": 1] as NSDictionary
        let (key, other): (CFString, CFString) = ("a" as NSString, "b" as NSString)
        var place: UnsafeRawPointer? = address(other)
        let isFound = CFDictionaryGetValueIfPresent(dictionary, address(other), &place)
        #expect(!isFound && place == address(other))
        #expect(CFDictionaryGetValueIfPresent(dictionary, address(key), nil))
    }

    @Test("all keys go at once, and the dictionary can be filled again")
    func removeAll() {
        let dictionary = NSMutableDictionary()
        let (one, two): (CFString, CFString) = ("one" as NSString, "two" as NSString)
        CFDictionarySetValue(dictionary, address(one), address(two))
        CFDictionarySetValue(dictionary, address(two), address(one))
        #expect(CFDictionaryGetCount(dictionary) == 2)
        CFDictionaryRemoveAllValues(dictionary)
        #expect(CFDictionaryGetCount(dictionary) == 0 && !CFDictionaryContainsKey(dictionary, address(one)))
        CFDictionarySetValue(dictionary, address(one), address(one))
        #expect(CFDictionaryContainsKey(dictionary, address(one)))
    }

    static let ranges: [(location: Int, length: Int, found: Int)] = [
        (0, 4, 1), (1, 3, 1), (2, 2, 3), (1, 1, 1), (3, 1, 3), (2, 1, -1), (0, 0, -1), (0, -5, -1),
        (4, 9, -1), (.max, .max, -1), (-2, 3, -1), (-2, 4, 1), (-9, .max, 1), (.min, .max, -1), (2, .max, 3),
    ]

    @Test("the first equal element of a range is found; a range is clamped to the array", arguments: ranges)
    func firstIndex(location: Int, length: Int, found: Int) {
        let array = ["x", "ü", "y", "ü"] as NSArray
        // Equal, not identical.
        let wanted: CFString = NSString(string: "\u{FC}")
        let range = CFRangeMake(location, length)
        #expect(CFArrayGetFirstIndexOfValue(array, range, address(wanted)) == found)
        #expect(CFArrayContainsValue(array, range, address(wanted)) == (found != kCFNotFound))
    }

    @Test("numbers are found by their value, of whichever type they were made")
    func numbers() {
        let array = [NSNumber(value: 1.0), NSNumber(value: 2.5)] as NSArray
        let (one, half) = (NSNumber(value: 1), NSNumber(value: Float(2.5)))
        #expect(CFArrayGetFirstIndexOfValue(array, CFRangeMake(0, 2), address(one)) == 0)
        #expect(CFArrayGetFirstIndexOfValue(array, CFRangeMake(0, 2), address(half)) == 1)
    }

    @Test("a container keeps its addresses while hundreds of others come and go")
    func manyContainers() throws {
        let array = ["stays", "too"] as NSArray
        let first = try #require(CFArrayGetValueAtIndex(array, 0))
        for index in 0..<300 {
            let other = ["gone \(index)"] as NSArray
            let lent = try #require(CFArrayGetValueAtIndex(other, 0))
            let text: CFString = Unmanaged.fromOpaque(lent).takeUnretainedValue()
            #expect(text as String == "gone \(index)")
        }
        #expect(CFArrayGetValueAtIndex(array, 0) == first)
        let text: CFString = Unmanaged.fromOpaque(first).takeUnretainedValue()
        #expect(text as String == "stays")
    }

    @Test("an element that is replaced is lent anew, and an equal one keeps its address")
    func replaced() throws {
        let array = NSMutableArray(array: ["one" as NSString])
        let before = try #require(CFArrayGetValueAtIndex(array, 0))
        array.replaceObject(at: 0, with: NSString(string: "one"))
        #expect(CFArrayGetValueAtIndex(array, 0) == before)
        array.replaceObject(at: 0, with: NSString(string: "two"))
        let after = try #require(CFArrayGetValueAtIndex(array, 0))
        let text: CFString = Unmanaged.fromOpaque(after).takeUnretainedValue()
        #expect(text as String == "two")
    }

    @Test("ranges and Booleans are made as in C")
    func values() {
        #expect(CFRangeMake(3, 4) == CFRange(location: 3, length: 4) && CFRange() == CFRangeMake(0, 0))
        #expect(CFBooleanGetValue(kCFBooleanTrue) && !CFBooleanGetValue(kCFBooleanFalse))
        #expect(autoreleasepool { 5 } == 5)
    }
}
