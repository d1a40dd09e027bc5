package dev.gatehouse.gateway.message;

/** What the bytes of a response head are. */
public sealed interface ParsedResponse permits ResponseHead, ParsedResponse.Malformed {
  record Malformed(Malformation malformation) implements ParsedResponse {}
}
