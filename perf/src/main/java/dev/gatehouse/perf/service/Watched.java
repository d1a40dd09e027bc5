package dev.gatehouse.perf.service;

import java.util.Locale;

/** What a soak looks at, of all nodes together. */
enum Watched {
  HEAP("heap after full collections, MB", 0),
  RESIDENT("resident memory, MB", 0),
  FILES("open files", 0),
  THREADS("platform threads", 0),
  KEYS("keys of the stores, without marks", 0),
  /** That of an AuthnRequest is kept longest: an hour in which it may arrive, 70 minutes in which it may wait, and five. */
  MARKS("marks of used messages and of logouts, keys", 136),
  /** Holds the marks; room of what has ended is freed every ten minutes. */
  ROCKSDB("RocksDB, MB", 147),
  /** Holds logins of the last hour and sums of its minutes, which are removed every ten minutes. */
  DATABASE("database, MB", 71),
  OTHER("keys, metadata, copies and reserve, MB", 0),
  /** Grow with each event. */
  LOGS("audit log, access log, decisions and refusals, MB", Integer.MAX_VALUE);

  private final String title;
  private final int fills;

  Watched(String title, int fills) {
    this.title = title;
    this.fills = fills;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String title() {
    return title;
  }

  /** The minutes of load until as much ends as begins; 0 where that is within the first ones, which {@code --settle} leaves out. */
  int fills() {
    return fills;
  }

  /** Whether it grows, as the report says it. */
  String verdict(Growth growth) {
    if (this == LOGS) {
      return "by design";
    }
    return !growth.judged() ? "fills until minute " + fills : growth.grows() ? "**yes**" : "no";
  }
}
