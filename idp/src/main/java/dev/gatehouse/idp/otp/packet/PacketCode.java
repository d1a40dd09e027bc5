package dev.gatehouse.idp.otp.packet;

import java.util.Optional;

/** A code of RADIUS packets that is known here (RFC 2865, section 3; RFC 2866, section 3). */
public enum PacketCode {
  ACCESS_REQUEST(1, "Access-Request"),
  ACCESS_ACCEPT(2, "Access-Accept"),
  ACCESS_REJECT(3, "Access-Reject"),
  ACCOUNTING_REQUEST(4, "Accounting-Request"),
  ACCOUNTING_RESPONSE(5, "Accounting-Response"),
  ACCESS_CHALLENGE(11, "Access-Challenge"),
  STATUS_SERVER(12, "Status-Server");

  private static final PacketCode[] BY_NUMBER = new PacketCode[13];

  static {
    for (PacketCode code : values()) {
      BY_NUMBER[code.number] = code;
    }
  }

  private final int number;
  private final String words;

  PacketCode(int number, String words) {
    this.number = number;
    this.words = words;
  }

  static Optional<PacketCode> of(int number) {
    return number < BY_NUMBER.length ? Optional.ofNullable(BY_NUMBER[number]) : Optional.empty();
  }

  int number() {
    return number;
  }

  /** Returns the name in the RFC. */
  public String words() {
    return words;
  }
}
