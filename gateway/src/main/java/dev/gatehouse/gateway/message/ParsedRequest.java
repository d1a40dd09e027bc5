package dev.gatehouse.gateway.message;

/** The result of parsing a request head. */
public sealed interface ParsedRequest permits RequestHead, ParsedRequest.Malformed {
  record Malformed(Malformation malformation) implements ParsedRequest {}
}
