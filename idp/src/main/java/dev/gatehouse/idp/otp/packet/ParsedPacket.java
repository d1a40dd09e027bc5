package dev.gatehouse.idp.otp.packet;

/** The result of reading bytes as a RADIUS packet. */
public sealed interface ParsedPacket {

  /** Bytes with the structure of a packet; nothing is known about who sent them. */
  record Read(RadiusPacket packet) implements ParsedPacket {}

  /** Bytes that are no packet: nobody gets an answer. */
  record Malformed(Reason reason) implements ParsedPacket {}

  /** Why bytes are no packet. */
  enum Reason {
    /** Fewer bytes than a header, or than its length field says. */
    TOO_SHORT,
    /** The length field is below 20 or above 4096. */
    LENGTH_OUT_OF_RANGE,
    /** An attribute has a length below 2, or does not end with the packet. */
    ATTRIBUTE_OUT_OF_BOUNDS,
    /** A code that no client of a server sends, or that nobody knows. */
    UNKNOWN_CODE,
    /** More than one Message-Authenticator, or one that has not 16 bytes. */
    AUTHENTICATOR_MALFORMED
  }
}
