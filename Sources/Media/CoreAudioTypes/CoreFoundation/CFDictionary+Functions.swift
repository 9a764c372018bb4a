import Foundation

// Dictionary functions in C spelling. Keys and values are passed as the addresses of their objects.

/// Returns the number of keys in a dictionary; 0 if there is no dictionary.
@discardableResult
public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex { theDict?.count ?? 0 }

/// Returns the address of a key's object, which the dictionary keeps; `nil` if the dictionary lacks the key.
///
/// The address is valid until the dictionary changes or is released.
@discardableResult
public func CFDictionaryGetValue(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> UnsafeRawPointer! {
    guard let theDict, let key, let name = object(at: key) as? NSObject,
        let value = theDict.object(forKey: name)
    else { return nil }
    return LentObjects.shared.address(of: value, in: theDict, at: name)
}

/// Returns whether a dictionary has a key, and the address of the key's object.
@discardableResult
public func CFDictionaryGetValueIfPresent(
    _ theDict: CFDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeMutablePointer<UnsafeRawPointer?>!
) -> Bool {
    guard let found = CFDictionaryGetValue(theDict, key) else { return false }
    value?.pointee = found
    return true
}

/// Returns whether a dictionary has a key.
@discardableResult
public func CFDictionaryContainsKey(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> Bool {
    guard let theDict, let key, let name = object(at: key) as? NSObject else { return false }
    return theDict.object(forKey: name) != nil
}

/// Sets the object of a key, replacing any other.
public func CFDictionarySetValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
    guard let theDict, let key, let value, let name = object(at: key) as? NSObject else { return }
    theDict.setObject(object(at: value), forKey: name)
}

/// Sets the object of a key if the dictionary lacks the key.
public func CFDictionaryAddValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
    if !CFDictionaryContainsKey(theDict, key) { CFDictionarySetValue(theDict, key, value) }
}

/// Replaces the object of a key if the dictionary has the key.
public func CFDictionaryReplaceValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
    if CFDictionaryContainsKey(theDict, key) { CFDictionarySetValue(theDict, key, value) }
}

/// Removes a key and its object.
public func CFDictionaryRemoveValue(_ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!) {
    guard let theDict, let key, let name = object(at: key) as? NSObject else { return }
    theDict.removeObject(forKey: name)
}

/// Removes all keys and objects.
public func CFDictionaryRemoveAllValues(_ theDict: CFMutableDictionary!) { theDict?.removeAllObjects() }

/// Returns the value of a Boolean object; `false` if there is none.
@discardableResult
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean?.boolValue ?? false }
