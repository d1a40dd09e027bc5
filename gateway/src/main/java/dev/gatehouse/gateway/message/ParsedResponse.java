package dev.gatehouse.gateway.message;

/** The result of parsing a response head. */
public sealed interface ParsedResponse permits ResponseHead, ParsedResponse.Malformed {
  record Malformed(Malformation malformation) implements ParsedResponse {}
}
