package dev.gatehouse.gateway.websocket;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.message.TokenList;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A client's WebSocket handshake (RFC 6455, section 4.2.1). An upgrade to another protocol is ignored: its fields are
 * stripped, and the request is an ordinary one (RFC 9110, section 7.8).
 */
public sealed interface Handshake {

  /** An ordinary request. */
  record None() implements Handshake {}

  /** A handshake that does not conform to the specification. */
  record Wrong() implements Handshake {}

  /** A handshake of another version than 13, the only supported one. */
  record OtherVersion() implements Handshake {}

  /**
   * A valid handshake.
   *
   * @param accept the required value of the app's Sec-WebSocket-Accept
   * @param protocols the protocols that the client offers
   */
  record Asked(String accept, List<String> protocols) implements Handshake {

    /** Writes the fields that make the app's request an upgrade; the client's own are not forwarded. */
    public static void write(HeadBuffer out) {
      out.putField("Connection", "Upgrade").putField("Upgrade", "websocket");
    }

    /** Returns whether the app's 101 accepts the handshake (RFC 6455, section 4.1). */
    public boolean isAcceptedBy(ResponseHead response) {
      Fields fields = response.fields();
      boolean framed =
          fields.next(FieldName.TRANSFER_ENCODING, 0) >= 0 || fields.next(FieldName.CONTENT_LENGTH, 0) >= 0;
      if (response.status() != 101 || framed || !hasUpgradeToken(fields) || !onlyWebSocket(fields)) {
        return false;
      }
      boolean chosenFromOffer = named(fields, "sec-websocket-protocol").stream().allMatch(protocols::contains);
      return chosenFromOffer
          && named(fields, "sec-websocket-protocol").size() <= 1
          && named(fields, "sec-websocket-accept").equals(List.of(accept));
    }
  }

  Handshake NONE = new None();

  /** Parses the handshake of a request; without Upgrade only the fields' names are checked. */
  static Handshake of(RequestHead head) {
    Fields fields = head.fields();
    if (fields.next(FieldName.UPGRADE, 0) < 0 || !hasUpgradeToken(fields) || !onlyWebSocket(fields)) {
      return NONE;
    }
    List<String> keys = named(fields, "sec-websocket-key");
    boolean plainGet = head.method().equals("GET") && head.minorVersion() == 1 && !head.hasBody();
    boolean framed = fields.next(FieldName.TRANSFER_ENCODING, 0) >= 0 || fields.next(FieldName.EXPECT, 0) >= 0;
    if (!plainGet || framed || keys.size() != 1 || !isKey(keys.getFirst())) {
      return new Wrong();
    }
    List<String> versions = named(fields, "sec-websocket-version");
    if (!versions.equals(List.of("13"))) {
      return versions.size() == 1 ? new OtherVersion() : new Wrong();
    }
    List<String> protocols = new ArrayList<>();
    for (String offered : named(fields, "sec-websocket-protocol")) {
      for (String protocol : offered.split(",")) {
        protocols.add(protocol.strip());
      }
    }
    return new Asked(accept(keys.getFirst()), List.copyOf(protocols));
  }

  /** Returns whether the key is sixteen bytes in base64. */
  private static boolean isKey(String key) {
    try {
      return key.length() == 24 && Base64.getDecoder().decode(key).length == 16;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The Sec-WebSocket-Accept value for a key (RFC 6455, section 4.2.2). */
  static String accept(String key) {
    try {
      byte[] sha1 =
          MessageDigest.getInstance("SHA-1").digest(Ascii.bytes(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
      return Base64.getEncoder().encodeToString(sha1);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  private static boolean hasUpgradeToken(Fields fields) {
    byte[] upgrade = Ascii.bytes("upgrade");
    for (int i = fields.next(FieldName.CONNECTION, 0); i >= 0; i = fields.next(FieldName.CONNECTION, i + 1)) {
      TokenList list = new TokenList(fields, i);
      while (list.next()) {
        if (Ascii.equalsLower(fields.bytes(), list.start(), list.end(), upgrade)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether the only Upgrade field names exactly {@code websocket}. */
  private static boolean onlyWebSocket(Fields fields) {
    int upgrade = fields.next(FieldName.UPGRADE, 0);
    return upgrade >= 0
        && fields.next(FieldName.UPGRADE, upgrade + 1) < 0
        && fields.value(upgrade).equalsIgnoreCase("websocket");
  }

  private static List<String> named(Fields fields, String lower) {
    List<String> values = new ArrayList<>(1);
    for (int i = 0; i < fields.size(); i++) {
      if (fields.nameEnd(i) - fields.nameStart(i) == lower.length()
          && fields.nameText(i).toLowerCase(Locale.ROOT).equals(lower)) {
        values.add(fields.value(i));
      }
    }
    return values;
  }

  /** The request's Origin; empty if there is none, {@code null} if the field says so. */
  static Optional<String> origin(RequestHead head) {
    List<String> origins = named(head.fields(), "origin");
    return origins.isEmpty() ? Optional.empty() : Optional.of(String.join(",", origins));
  }
}
