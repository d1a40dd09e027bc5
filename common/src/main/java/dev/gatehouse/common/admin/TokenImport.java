package dev.gatehouse.common.admin;

import dev.gatehouse.common.result.Result;
import java.util.List;
import java.util.Optional;

/** The import of tokens by a file of their seeds. */
public interface TokenImport {

  /** What the file is. */
  enum Format {
    PSKC,
    CSV
  }

  /**
   * What to import.
   *
   * @param password and the key: what the file is encrypted with, if it is
   * @param skip whether entries that are wrong are left out; otherwise one of them prevents all
   * @param dryRun whether the file is only read
   */
  record Order(String realm, Format format, byte[] content, Optional<String> password, Optional<byte[]> key, boolean skip, boolean dryRun) {
    @Override
    public String toString() {
      return "Order[" + realm + ", " + format + "]";
    }
  }

  /**
   * An entry that was not imported.
   *
   * @param number of the key or line
   * @param serial empty if it has none
   */
  record Rejected(int number, String serial, String reason) {}

  /**
   * What came of a file.
   *
   * @param read entries of the file
   */
  record Imported(int read, int imported, List<Rejected> rejected) {}

  /** Learns how far it is. It may throw, which ends the import. */
  @FunctionalInterface
  interface Progress {
    void at(long done, long total);
  }

  /** Imports; refuses a file that is wrong as a whole, with a sentence. */
  Result<Imported, String> run(Order order, Progress progress);
}
