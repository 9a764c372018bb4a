// What a program with views needs beside them.
@_exported import Foundation
@_exported import KeyValueObserving
