import Testing
import TuttiTestSupport

@testable import TuttiHouseMPD

@Suite("Lines and requests")
struct RequestTests {
    private func request(_ line: String) throws(CommandError) -> Request { try Request(Array(line.utf8)) }

    private func message(_ line: String) -> String? {
        do throws(CommandError) {
            _ = try request(line)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("a line is taken apart at spaces, and quotes keep them")
    func words() throws {
        #expect(try request("status") == Request("status".utf8.map { $0 }))
        #expect(try request("play 3").arguments == ["3"])
        #expect(
            try request("find\tartist   \"A \\\"B\\\" \\\\ C\"  ").arguments == ["artist", "A \"B\" \\ C"])
        #expect(try request("add \"\"").arguments == [""])
        #expect(try request("find \"(Artist == 'Ö')\"").arguments == ["(Artist == 'Ö')"])
    }

    @Test("a malformed line is refused with the reason")
    func malformed() {
        #expect(message("status \"") == "Missing closing '\"'")
        #expect(message("status \"a\\") == "Missing closing '\"'")
        #expect(message("status 'a'") == "Invalid unquoted character")
        #expect(message("status \"a\"b") == "Space expected after closing '\"'")
        #expect(message("Status") == "No command given")
        #expect(message("status!") == "Letter expected")
        #expect(message("add " + String(repeating: "a ", count: 300)) == "Too many arguments")
    }

    @Test("lines are found wherever the bytes are cut", arguments: [1, 2, 3, 7, 100])
    func cut(size: Int) throws {
        let bytes = Array("status\nplay 1\r\n\nping\n".utf8)
        var (reader, lines) = (RequestReader(), [String]())
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.append(Array(bytes[start..<min(start + size, bytes.count)]))
            while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        #expect(lines == ["status", "play 1", "", "ping"])
    }

    @Test("a line may be as long as the limit, and no longer")
    func lineLimit() throws {
        var reader = RequestReader()
        reader.append(Array(repeating: 0x61, count: RequestReader.lineLimit))
        #expect(try reader.next() == nil)
        reader.append([0x0A])
        #expect(try reader.next()?.count == RequestReader.lineLimit)
        reader.append(Array(repeating: 0x61, count: RequestReader.lineLimit + 1))
        #expect(throws: RequestReader.Overlong.self) { try reader.next() }
    }

    @Test("random bytes are taken or refused, and never trap", arguments: UInt64(1)...20)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("az \"'\\()!=<>:\t\n\r-+0129\u{7F}Ä".utf8)
        for _ in 0..<300 {
            let line = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? alphabet.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
            }
            guard let request = try? Request(line) else { continue }
            #expect(!request.name.isEmpty)
            for argument in request.arguments {
                _ = try? Argument.integer(argument)
                _ = try? Argument.range(argument, count: 5)
                _ = try? QueuePosition(argument).place(current: 2, count: 5)
                _ = try? FilterParser.filter([argument], isFolded: true)
                _ = try? SongSelection(request.arguments, isFolded: false, takesPosition: true)
                _ = DateText.time(argument)
            }
        }
    }
}

@Suite("Values in requests and answers")
struct ValueTests {
    @Test("ranges are one place, two ends, or open")
    func ranges() throws {
        #expect(try Argument.range("2", count: 5) == 2..<3)
        #expect(try Argument.range("1:3", count: 5) == 1..<3)
        #expect(try Argument.range("1:", count: 5) == 1..<5)
        #expect(try Argument.range("9:", count: 5) == 9..<9)
        #expect(try Argument.range("\(Int.max)", count: 5) == Int.max..<Int.max)
        for text in ["", "x", ":", "-1", "3:1", "1:x", "1:-2"] {
            #expect(throws: CommandError.self, "\(text)") { try Argument.range(text, count: 5) }
        }
    }

    @Test("a place may be counted from the current song")
    func positions() throws {
        #expect(try QueuePosition("3").place(current: nil, count: 3) == 3)
        #expect(try QueuePosition("+0").place(current: 1, count: 3) == 2)
        #expect(try QueuePosition("-0").place(current: 1, count: 3) == 1)
        #expect(try QueuePosition("-1").place(current: 1, count: 3) == 0)
        for text in ["4", "+2", "-2", "+\(Int.max)", "-\(Int.max)"] {
            #expect(throws: CommandError.self, "\(text)") {
                try QueuePosition(text).place(current: 1, count: 3)
            }
        }
        #expect(throws: CommandError.noCurrentSong) { try QueuePosition("+0").place(current: nil, count: 3) }
        for text in ["", "+", "--1", "+-1", "1.5", "x"] {
            #expect(throws: CommandError.self, "\(text)") { try QueuePosition(text) }
        }
    }

    @Test(
        "dates are written as the calendar has them",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (1_795_676_469, "2026-11-26T07:01:09Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
            (Int64.max, "9999-12-31T23:59:59Z"), (Int64.min, "0001-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func dates(time: Int64, text: String) {
        var bytes = ByteBuffer()
        DateText.append(time, to: &bytes)
        #expect(String(decoding: bytes.take(), as: UTF8.self) == text)
        if time > 0, time < Int64.max { #expect(DateText.time(text) == time) }
    }

    @Test("a value stays on its line, whatever it has")
    func sanitized() {
        var response = Response()
        response.add("Title", "a\nOK\r\u{0}b")
        response.add("elapsed", seconds: 61.2345)
        response.add("elapsed", seconds: .nan)
        response.add("elapsed", seconds: -.infinity)
        response.add(duration: .infinity)
        #expect(
            String(decoding: response.take(), as: UTF8.self)
                == "Title: a OK  b\nelapsed: 61.235\nelapsed: 0.000\nelapsed: 0.000\n")
    }
}
