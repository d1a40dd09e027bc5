package dev.gatehouse.common.snapshot;

/** A snapshot on the own disk must not be used; the message is one sentence with the remedy. */
public final class SnapshotRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  SnapshotRefused(String sentence) {
    super(sentence);
  }

  SnapshotRefused(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
