package dev.gatehouse.common.otp.replica;

/** A step of the replication cannot be done; the message says why, and what to do. */
public final class ReplicationRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  ReplicationRefused(String sentence) {
    super(sentence);
  }

  ReplicationRefused(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
