import Glibc
import Testing
import TuttiTestSupport

@testable import TuttiServiceHost

@Suite("One service in a folder of state")
struct InstanceLockTests {
    @Test("a second service is told of the first, and succeeds after its end")
    func second() throws {
        let folder = try MusicFolder()
        let state = "\(folder.path)/a/house"
        var first: InstanceLock? = try InstanceLock(folder: state)
        let error = #expect(throws: InstanceError.self) { try InstanceLock(folder: state) }
        #expect(error == .inUse(processID: getpid(), folder: state))
        #expect(
            error?.description
                == "another tutti serve (pid \(getpid())) uses \(state); stop it, or give this one its own "
                + "[service] database")
        withExtendedLifetime(first) {}
        first = nil
        _ = try InstanceLock(folder: state)
    }

    @Test("services in two folders do not meet")
    func two() throws {
        let folder = try MusicFolder()
        let first = try InstanceLock(folder: "\(folder.path)/a")
        let second = try InstanceLock(folder: "\(folder.path)/b")
        withExtendedLifetime((first, second)) {}
    }

    @Test(
        "an id in the file that is no running process is not told",
        arguments: ["", "words", "0", "-1", "2147483647"])
    func staleID(text: String) throws {
        let folder = try MusicFolder()
        let first = try InstanceLock(folder: folder.path)
        try folder.add(InstanceLock.fileName, Array(text.utf8))
        let error = #expect(throws: InstanceError.self) { try InstanceLock(folder: folder.path) }
        #expect(error == .inUse(processID: nil, folder: folder.path))
        withExtendedLifetime(first) {}
    }

    @Test("a folder that cannot be used is told with a remedy")
    func unusable() throws {
        let folder = try MusicFolder()
        let file = try folder.add("file")
        let error = #expect(throws: InstanceError.self) { try InstanceLock(folder: file) }
        #expect(error?.description.hasSuffix("; choose another [service] database") == true)
    }
}
