/// The tables of a house's state.
enum HouseSchema {
    /// The steps from an empty file to the present tables. Steps may be appended, never changed.
    static let migrations = [
        """
        CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE room (id TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE zone (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, wish TEXT NOT NULL, rate REAL NOT NULL, repeat TEXT NOT NULL,
          shuffled INTEGER NOT NULL, current INTEGER, sleep BLOB, revision INTEGER NOT NULL,
          entries BLOB NOT NULL, playing BLOB NOT NULL);
        CREATE TABLE place (zone INTEGER PRIMARY KEY, current INTEGER, position REAL NOT NULL);
        CREATE TABLE entry (id INTEGER PRIMARY KEY, zone INTEGER NOT NULL, content BLOB NOT NULL);
        CREATE INDEX entry_zone ON entry (zone);
        """,
        """
        ALTER TABLE zone ADD COLUMN levelling TEXT NOT NULL DEFAULT 'off';
        ALTER TABLE zone ADD COLUMN crossfade REAL NOT NULL DEFAULT 0;
        ALTER TABLE zone ADD COLUMN sleep_fade REAL NOT NULL DEFAULT 0;
        CREATE TABLE alarm (id INTEGER PRIMARY KEY, since REAL NOT NULL, rung REAL, content BLOB NOT NULL);
        """,
    ]
}
