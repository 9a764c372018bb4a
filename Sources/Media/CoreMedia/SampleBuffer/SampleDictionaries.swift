import Foundation

/// The attachments of all samples as an array object.
///
/// Foundation's own array on Linux returns a copy of a mutable dictionary. This array returns the dictionary
/// itself, so that a change reaches the sample.
final class SampleDictionaries: NSArray {
    private let dictionaries: [NSMutableDictionary]

    init(_ dictionaries: [NSMutableDictionary]) {
        self.dictionaries = dictionaries
        super.init(objects: nil, count: 0)
    }

    required init?(coder: NSCoder) { nil }

    required init(objects: UnsafePointer<AnyObject>?, count: Int) {
        dictionaries = (0..<count).compactMap { objects?[$0] as? NSMutableDictionary }
        super.init(objects: nil, count: 0)
    }

    required init(arrayLiteral elements: Any...) {
        dictionaries = elements.compactMap { $0 as? NSMutableDictionary }
        super.init(objects: nil, count: 0)
    }

    override var count: Int { dictionaries.count }

    override func object(at index: Int) -> Any { dictionaries[index] }
}
