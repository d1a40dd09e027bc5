package dev.gatehouse.gateway.websocket;

import java.nio.charset.StandardCharsets;

/** Close frames that the gateway sends (RFC 6455, sections 5.5.1 and 7.4.1). */
public enum CloseFrame {
  /** The gateway stops, or both sides were silent for too long. */
  GOING_AWAY(1001, "going away"),
  /** The session ended. */
  SESSION_ENDED(1008, "session ended");

  private final int code;
  private final String reason;

  CloseFrame(int code, String reason) {
    this.code = code;
    this.reason = reason;
  }

  /** The frame as a server sends it. */
  public byte[] toClient() {
    byte[] text = reason.getBytes(StandardCharsets.US_ASCII);
    byte[] frame = new byte[4 + text.length];
    frame[0] = (byte) 0x88;
    frame[1] = (byte) (2 + text.length);
    frame[2] = (byte) (code >> 8);
    frame[3] = (byte) code;
    System.arraycopy(text, 0, frame, 4, text.length);
    return frame;
  }

  /**
   * The frame as a client sends it: masked, with a key of zeros, which suffices because its content is not chosen by an
   * attacker.
   */
  public byte[] toApp() {
    byte[] plain = toClient();
    byte[] frame = new byte[plain.length + 4];
    frame[0] = plain[0];
    frame[1] = (byte) (plain[1] | 0x80);
    System.arraycopy(plain, 2, frame, 6, plain.length - 2);
    return frame;
  }
}
