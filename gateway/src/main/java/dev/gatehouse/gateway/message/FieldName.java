package dev.gatehouse.gateway.message;

import java.util.ArrayList;
import java.util.List;

/** The field names that the gateway handles specially; all others are {@link #OTHER}. */
public enum FieldName {
  OTHER(""),
  HOST("host"),
  CONNECTION("connection", true),
  KEEP_ALIVE("keep-alive", true),
  PROXY_CONNECTION("proxy-connection", true),
  TE("te", true),
  TRAILER("trailer", true),
  TRANSFER_ENCODING("transfer-encoding", true),
  UPGRADE("upgrade", true),
  HTTP2_SETTINGS("http2-settings", true),
  PROXY_AUTHENTICATE("proxy-authenticate", true),
  PROXY_AUTHORIZATION("proxy-authorization", true),
  PROXY_AUTHENTICATION_INFO("proxy-authentication-info", true),
  CONTENT_LENGTH("content-length"),
  EXPECT("expect"),
  AUTHORIZATION("authorization"),
  DPOP("dpop"),
  COOKIE("cookie"),
  SET_COOKIE("set-cookie"),
  CACHE_CONTROL("cache-control"),
  CDN_CACHE_CONTROL("cdn-cache-control"),
  SURROGATE_CONTROL("surrogate-control"),
  FORWARDED("forwarded"),
  X_FORWARDED_FOR("x-forwarded-for"),
  X_FORWARDED_PROTO("x-forwarded-proto"),
  X_FORWARDED_HOST("x-forwarded-host"),
  X_FORWARDED_PORT("x-forwarded-port"),
  X_REQUEST_ID("x-request-id");

  private static final FieldName[][] BY_LENGTH = byLength();

  private final byte[] lower;
  private final boolean hopByHop;

  FieldName(String lower) {
    this(lower, false);
  }

  FieldName(String lower, boolean hopByHop) {
    this.lower = Ascii.bytes(lower);
    this.hopByHop = hopByHop;
  }

  /** Returns whether the field concerns one connection only and is never forwarded (RFC 9110, section 7.6.1). */
  public boolean isHopByHop() {
    return hopByHop;
  }

  static FieldName of(byte[] bytes, int start, int end) {
    int length = end - start;
    if (length >= BY_LENGTH.length) {
      return OTHER;
    }
    for (FieldName name : BY_LENGTH[length]) {
      if (Ascii.equalsLower(bytes, start, end, name.lower)) {
        return name;
      }
    }
    return OTHER;
  }

  private static FieldName[][] byLength() {
    List<List<FieldName>> table = new ArrayList<>();
    for (FieldName name : values()) {
      while (table.size() <= name.lower.length) {
        table.add(new ArrayList<>());
      }
      if (name != OTHER) {
        table.get(name.lower.length).add(name);
      }
    }
    return table.stream().map(names -> names.toArray(FieldName[]::new)).toArray(FieldName[][]::new);
  }
}
