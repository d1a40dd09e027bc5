package dev.gatehouse.common.installation;

import java.util.Optional;

/** Where a store keeps the installation's record. */
public interface RecordPlace {
  /** The text as it was written; empty where none was. */
  Optional<String> read();

  /** Replaces the text; on disk when it returns. */
  void write(String text);
}
