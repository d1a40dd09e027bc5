package dev.gatehouse.gateway.message;

/** Iterates over a field's comma-separated elements without copying them (RFC 9110, section 5.6.1). */
public final class TokenList {

  private final byte[] bytes;
  private final int limit;
  private int at;
  private int start;
  private int end;

  public TokenList(Fields fields, int field) {
    this.bytes = fields.bytes();
    this.at = fields.valueStart(field);
    this.limit = fields.valueEnd(field);
  }

  /** Moves to the next element that is not empty; returns false if there is none. */
  public boolean next() {
    while (at < limit) {
      while (at < limit && (bytes[at] == ',' || bytes[at] == ' ' || bytes[at] == '\t')) {
        at++;
      }
      start = at;
      while (at < limit && bytes[at] != ',') {
        at++;
      }
      end = at;
      while (end > start && (bytes[end - 1] == ' ' || bytes[end - 1] == '\t')) {
        end--;
      }
      if (end > start) {
        return true;
      }
    }
    return false;
  }

  public int start() {
    return start;
  }

  public int end() {
    return end;
  }
}
