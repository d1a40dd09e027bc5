package dev.gatehouse.common.audit.search;

/** What events are searched by; in the order from those that few events share to those that many do. */
public enum AuditTerm {
  /** The reference that the person or partner received. */
  REQUEST_ID,
  /** The person's id, or the name as it was typed. */
  PERSON,
  /** The OAuth client's id. */
  CLIENT,
  /** The partner, or the OAuth client. */
  PARTNER,
  /** The address of the client. */
  ADDRESS,
  REASON,
  EVENT,
  REALM;

  /** Returns what an index has in place of a value: 64 bits of its SHA-256. */
  public long key(String value) {
    return TermKeys.LAST.key(this, value);
  }
}
