import Foundation

@testable import TuttiAudioOutput

/// A sound server for one test, on its own socket, with two null sinks.
final class PulseServerProcess {
    private static let program = "/usr/bin/pulseaudio"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    let folder: TemporaryFolder
    private var process: Process?

    var address: String { "unix:" + folder.file("socket") }

    init() throws {
        folder = try TemporaryFolder()
        try start()
    }

    deinit { stop() }

    /// Returns when the server answers.
    func start() throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = [
            "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--log-target=null",
            "-L", "module-null-sink sink_name=first rate=48000",
            "-L", "module-null-sink sink_name=second rate=44100",
            "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(folder.file("socket"))",
        ]
        process.environment = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        // The server does not announce that it is ready.
        for _ in 0..<5000 {
            if (try? PulseServer.sinks(of: address))?.count == 2 { return }
            usleep(20_000)
        }
        throw CocoaError(.executableLoad)
    }

    func stop() {
        guard let process else { return }
        // A crash: the server ends without a goodbye.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }
}
