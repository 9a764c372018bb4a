import Synchronization
import Testing

@testable import CoreVideo

@Suite("CVPixelBufferPool")
struct CVPixelBufferPoolTests {
    static let second: Int64 = 1_000_000_000

    static func attributes(_ width: Int = 8, _ height: Int = 4) -> CFDictionary {
        [
            kCVPixelBufferPixelFormatTypeKey: NSNumber(value: kCVPixelFormatType_32BGRA),
            kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height,
        ] as CFDictionary
    }

    static func pool(_ poolAttributes: CFDictionary? = nil) throws -> CVPixelBufferPool {
        var pool: CVPixelBufferPool?
        try #require(CVPixelBufferPoolCreate(nil, poolAttributes, attributes(), &pool) == kCVReturnSuccess)
        return try #require(pool)
    }

    @Test("a released buffer's memory is used again, without its attachments")
    func reuse() throws {
        let pool = try Self.pool()
        var buffer: CVPixelBuffer?
        #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess)
        let first = try #require(buffer.flatMap { CVPixelBufferGetBaseAddress($0) })
        CVBufferSetAttachment(try #require(buffer), "key" as CFString, kCFBooleanTrue, .shouldPropagate)
        var other: CVPixelBuffer?
        #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &other) == kCVReturnSuccess)
        #expect(other.flatMap { CVPixelBufferGetBaseAddress($0) } != first)
        buffer = nil
        #expect(pool.freeCount == 1)
        #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess)
        let again = try #require(buffer)
        #expect(CVPixelBufferGetBaseAddress(again) == first && pool.freeCount == 0)
        #expect(!CVBufferHasAttachment(again, "key" as CFString))
        #expect(CVPixelBufferGetWidth(again) == 8 && CVPixelBufferGetHeight(again) == 4)
    }

    @Test("a threshold refuses another buffer until one is released, and then tells")
    func threshold() throws {
        let pool = try Self.pool()
        let limit = [kCVPixelBufferPoolAllocationThresholdKey: 2] as CFDictionary
        let notifications = Mutex(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .init(kCVPixelBufferPoolFreeBufferNotification as String), object: pool, queue: nil
        ) { _ in notifications.withLock { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(observer) }
        func make() -> (CVReturn, CVPixelBuffer?) {
            var buffer: CVPixelBuffer?
            let code = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &buffer)
            return (code, buffer)
        }
        var kept = [make().1, make().1]
        #expect(kept.allSatisfy { $0 != nil })
        let (code, refused) = make()
        #expect(code == kCVReturnWouldExceedAllocationThreshold && refused == nil)
        #expect(notifications.withLock { $0 } == 0)
        kept.removeLast()
        #expect(notifications.withLock { $0 } == 1)
        let (second, reused) = make()
        #expect(second == kCVReturnSuccess && reused != nil)
        kept.removeAll()
        #expect(notifications.withLock { $0 } == 1)
        var unlimited: [CVPixelBuffer?] = []
        for _ in 0..<5 {
            var buffer: CVPixelBuffer?
            #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess)
            unlimited.append(buffer)
        }
        #expect(unlimited.count == 5)
    }

    @Test("a threshold that is no number is refused")
    func badThreshold() throws {
        var buffer: CVPixelBuffer?
        let aux = [kCVPixelBufferPoolAllocationThresholdKey: "2"] as CFDictionary
        let code = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, try Self.pool(), aux, &buffer)
        #expect(code == kCVReturnInvalidArgument && buffer == nil)
    }

    @Test("free memory is released at its maximum age, except for the minimum count")
    func age() throws {
        func free(_ count: Int, of pool: CVPixelBufferPool) throws -> Int64 {
            let buffers = try (0..<count).map { _ in try pool.makeBuffer() }
            #expect(Set(buffers).count == count)
            return hostNanoseconds()
        }
        let pool = try Self.pool()
        let now = try free(3, of: pool)
        #expect(pool.freeCount == 3)
        pool.flush([], at: now)
        #expect(pool.freeCount == 3)
        pool.flush([], at: now + 2 * Self.second)
        #expect(pool.freeCount == 0)

        let keeping = try Self.pool(
            [kCVPixelBufferPoolMinimumBufferCountKey: 2, kCVPixelBufferPoolMaximumBufferAgeKey: 0.5]
                as CFDictionary)
        let later = try free(3, of: keeping)
        keeping.flush([], at: later + Self.second)
        #expect(keeping.freeCount == 2)
        // The buffer in use counts, so that one of the two free ones can go.
        let used = try keeping.makeBuffer(at: later + 2 * Self.second)
        #expect(keeping.freeCount == 1)
        keeping.flush(.excessBuffers)
        #expect(keeping.freeCount == 0)
        withExtendedLifetime(used) {}

        let forever = try Self.pool([kCVPixelBufferPoolMaximumBufferAgeKey: 0] as CFDictionary)
        let last = try free(1, of: forever)
        forever.flush([], at: last + 1000 * Self.second)
        #expect(forever.freeCount == 1)
    }

    @Test("buffers outlive their pool")
    func lifetime() throws {
        weak var pool: CVPixelBufferPool?
        var buffer: CVPixelBuffer?
        do {
            let strong = try Self.pool()
            pool = strong
            buffer = try strong.makeBuffer()
        }
        #expect(pool == nil)
        let address = try #require(buffer.flatMap { CVPixelBufferGetBaseAddress($0) })
        memset(address, 1, 64 * 4)
        buffer = nil
    }

    @Test("attributes that are missing or invalid are refused")
    func attributes() {
        func code(_ poolAttributes: CFDictionary?, _ bufferAttributes: CFDictionary?) -> CVReturn {
            var pool: CVPixelBufferPool?
            return CVPixelBufferPoolCreate(nil, poolAttributes, bufferAttributes, &pool)
        }
        #expect(code(nil, nil) == kCVReturnInvalidPixelBufferAttributes)
        for key in [kCVPixelBufferWidthKey, kCVPixelBufferHeightKey, kCVPixelBufferPixelFormatTypeKey] {
            let partial = NSMutableDictionary(dictionary: Self.attributes() as? [AnyHashable: Any] ?? [:])
            partial.removeObject(forKey: key)
            #expect(code(nil, partial) == kCVReturnInvalidPixelBufferAttributes)
        }
        #expect(code(nil, Self.attributes(0, 4)) == kCVReturnInvalidSize)
        #expect(code(nil, Self.attributes(20_000, 4)) == kCVReturnInvalidSize)
        let negative = [kCVPixelBufferPoolMinimumBufferCountKey: -1] as CFDictionary
        #expect(code(negative, Self.attributes()) == kCVReturnInvalidPoolAttributes)
        let text = [kCVPixelBufferPoolMaximumBufferAgeKey: "1"] as CFDictionary
        #expect(code(text, Self.attributes()) == kCVReturnInvalidPoolAttributes)
        let nothing = [kCVPixelBufferPoolMaximumBufferAgeKey: Double.nan] as CFDictionary
        #expect(code(nothing, Self.attributes()) == kCVReturnInvalidPoolAttributes)
        let huge = [
            kCVPixelBufferPoolMaximumBufferAgeKey: Double.infinity,
            kCVPixelBufferPoolMinimumBufferCountKey: Double.infinity,
        ]
        #expect(code(huge as CFDictionary, Self.attributes()) == kCVReturnSuccess)
    }

    @Test("the first supported format of a list counts")
    func formats() throws {
        let attributes = NSMutableDictionary(dictionary: Self.attributes() as? [AnyHashable: Any] ?? [:])
        attributes[kCVPixelBufferPixelFormatTypeKey] = [7, kCVPixelFormatType_420YpCbCr8Planar] as NSArray
        var pool: CVPixelBufferPool?
        #expect(CVPixelBufferPoolCreate(nil, nil, attributes, &pool) == kCVReturnSuccess)
        let made = try #require(pool)
        #expect(made.layout.type == kCVPixelFormatType_420YpCbCr8Planar)
        #expect(CVPixelBufferPoolGetPixelBufferAttributes(made)?.count == 3)
        #expect(CVPixelBufferPoolGetAttributes(made)?.count == 0)
        attributes[kCVPixelBufferPixelFormatTypeKey] = [7] as NSArray
        #expect(CVPixelBufferPoolCreate(nil, nil, attributes, &pool) == kCVReturnInvalidPixelFormat)
        attributes[kCVPixelBufferPixelFormatTypeKey] = [] as NSArray
        #expect(CVPixelBufferPoolCreate(nil, nil, attributes, &pool) == kCVReturnInvalidPixelBufferAttributes)
    }

    @Test("threads share a pool without sharing memory in use")
    func concurrency() throws {
        let pool = try Self.pool()
        let clashes = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<200 {
                guard let buffer = try? pool.makeBuffer(), let address = CVPixelBufferGetBaseAddress(buffer)
                else { return clashes.withLock { $0 += 1000 } }
                let mark = Int32(thread * 1000 + round)
                address.storeBytes(of: mark, as: Int32.self)
                if address.load(as: Int32.self) != mark { clashes.withLock { $0 += 1 } }
            }
        }
        #expect(clashes.withLock { $0 } == 0 && (1...8).contains(pool.freeCount))
    }
}
