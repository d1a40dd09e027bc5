package dev.gatehouse.common.realm;

/** What a route adds to its responses: security headers, pages of its own for errors and maintenance. */
public record ResponseConfig() {

  /** Nothing. */
  public static final ResponseConfig PLAIN = new ResponseConfig();
}
