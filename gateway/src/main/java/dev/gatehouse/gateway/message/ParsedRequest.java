package dev.gatehouse.gateway.message;

/** What the bytes of a request head are. */
public sealed interface ParsedRequest permits RequestHead, ParsedRequest.Malformed {
  record Malformed(Malformation malformation) implements ParsedRequest {}
}
