package dev.gatehouse.common.otp.replica;

/**
 * Who is the primary.
 *
 * @param epoch rises each time that a replica is nominated; the record with the highest one counts
 * @param server the primary's name
 */
public record PrimaryRecord(long epoch, String server) {

  /** Returns whether this counts in place of the other one. */
  boolean follows(PrimaryRecord other) {
    return epoch > other.epoch;
  }

  /** Returns whether a server of that record is not the primary because of this one: another has its epoch, or a later one. */
  boolean replaces(PrimaryRecord other) {
    return epoch >= other.epoch && !server.equals(other.server);
  }

  /** Returns it for the audit log. */
  String words() {
    return server + " " + epoch;
  }
}
