import Foundation
import Testing

@testable import TuttiSystemIO

@Suite("Errors of private files")
struct PrivateFileTests {
    @Test("a refused call is told with the file and the system's reason")
    func refusedCall() {
        let path = "/nonexistent/folder/file"
        let error = #expect(throws: PrivateFileError.self) { try PrivateFile(path: path).write([1]) }
        #expect(error?.description == "\(path) cannot be used: No such file or directory (create)")
    }

    @Test("a folder in the file's place is told as such")
    func folder() {
        let path = FileManager.default.temporaryDirectory.path
        let error = #expect(throws: PrivateFileError.self) { try PrivateFile(path: path).read() }
        #expect(error?.description == "\(path) is not a regular file")
    }
}
