package dev.gatehouse.common.audit.search;

import java.util.List;

/** What events are searched by. */
public enum AuditTerm {
  /** The person's id, or the name as it was typed. */
  PERSON("person", "name"),
  /** The partner, or the OAuth client. */
  PARTNER("partner"),
  /** The OAuth client's id. */
  CLIENT("client"),
  /** The reference that the person or partner received. */
  REQUEST_ID("reference"),
  REASON("reason"),
  /** The address of the client. */
  ADDRESS("address"),
  EVENT("event"),
  REALM("realm");

  private final List<String> columns;

  AuditTerm(String... columns) {
    this.columns = List.of(columns);
  }

  /** Returns the columns of the index of which one must have the value. */
  List<String> columns() {
    return columns;
  }
}
