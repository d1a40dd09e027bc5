package dev.gatehouse.common.installation;

import java.util.Optional;

/** The place where a store holds the installation's record. */
public interface RecordLocation {
  /** Returns the text as it was written; empty if none was. */
  Optional<String> read();

  /** Replaces the text; it is on disk when the method returns. */
  void write(String text);
}
