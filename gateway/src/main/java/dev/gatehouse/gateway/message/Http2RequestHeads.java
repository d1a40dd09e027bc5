package dev.gatehouse.gateway.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Converts the fields of an HTTP/2 request to an HTTP/1.1 head (RFC 9113, section 8.3.1), which the {@link
 * RequestParser} parses, so that every strict rule is implemented once. Defects that only HTTP/2 can have are refused
 * here, so that no field gets another meaning in HTTP/1.1 (RFC 9113, section 10.3). An event loop reuses one instance
 * for all heads.
 */
public final class Http2RequestHeads {

  private static final byte[] METHOD = Ascii.bytes(":method");
  private static final byte[] SCHEME = Ascii.bytes(":scheme");
  private static final byte[] AUTHORITY = Ascii.bytes(":authority");
  private static final byte[] PATH = Ascii.bytes(":path");
  private static final byte[] HTTP = Ascii.bytes("http");
  private static final byte[] HTTPS = Ascii.bytes("https");
  private static final byte[] TRAILERS = Ascii.bytes("trailers");
  private static final byte[] NOTHING = new byte[0];

  private final RequestParser parser;
  private final HeadBuffer fields = new HeadBuffer();
  private final HeadBuffer cookies = new HeadBuffer();

  private byte @Nullable [] method;
  private byte @Nullable [] authority;
  private byte @Nullable [] path;
  private byte @Nullable [] host;
  private boolean scheme;
  private boolean regular;
  private boolean length;
  private @Nullable Malformation malformation;

  public Http2RequestHeads(RequestParser parser) {
    this.parser = parser;
  }

  /** Begins a head. */
  public void begin() {
    fields.reset();
    cookies.reset();
    method = null;
    authority = null;
    path = null;
    host = null;
    scheme = false;
    regular = false;
    length = false;
    malformation = null;
  }

  /** Takes the next field, in the order of arrival. */
  public void field(byte[] names, int nameStart, int nameEnd, byte[] values, int valueStart, int valueEnd) {
    if (malformation != null) {
      return;
    }
    if (nameStart < nameEnd && names[nameStart] == ':') {
      malformation = pseudo(names, nameStart, nameEnd, Arrays.copyOfRange(values, valueStart, valueEnd));
      return;
    }
    regular = true;
    malformation = check(names, nameStart, nameEnd, values, valueStart, valueEnd);
    if (malformation == null) {
      malformation = regular(names, nameStart, nameEnd, values, valueStart, valueEnd);
    }
  }

  /**
   * Ends the head.
   *
   * @param bodiless whether the request ended with its head
   */
  public ParsedRequest finish(boolean bodiless) {
    Malformation wrong = malformation != null ? malformation : missing();
    if (wrong != null) {
      return new ParsedRequest.Malformed(wrong);
    }
    HeadBuffer out = new HeadBuffer();
    out.put(orNothing(method)).put(' ').put(orNothing(path)).put(" HTTP/1.1").endLine();
    byte[] named = authority != null ? authority : orNothing(host);
    out.put("host: ").put(named).endLine();
    out.put(fields.array(), 0, fields.length());
    if (cookies.length() > 0) {
      out.put("cookie: ").put(cookies.array(), 0, cookies.length()).endLine();
    }
    if (!bodiless && !length) {
      out.put("transfer-encoding: chunked").endLine();
    }
    out.endLine();
    ParsedRequest parsed = parser.parse(Arrays.copyOf(out.array(), out.length()));
    boolean lies =
        bodiless && parsed instanceof RequestHead head && head.framing() instanceof BodyFraming.Length(long n) && n > 0;
    return lies ? new ParsedRequest.Malformed(Malformation.LENGTH_OF_DATA) : parsed;
  }

  /** Checks a name and a value of head or trailers (RFC 9113, section 8.2.1); returns null if both are valid. */
  static @Nullable Malformation check(
      byte[] names, int nameStart, int nameEnd, byte[] values, int valueStart, int valueEnd) {
    if (nameStart == nameEnd) {
      return Malformation.FIELD_NAME;
    }
    for (int i = nameStart; i < nameEnd; i++) {
      if (!Ascii.isToken(names[i]) || Ascii.lower(names[i]) != names[i]) {
        return Malformation.FIELD_NAME;
      }
    }
    for (int i = valueStart; i < valueEnd; i++) {
      if (!Ascii.isFieldValue(values[i])) {
        return Malformation.FIELD_VALUE;
      }
    }
    boolean spaced = valueStart < valueEnd && (isSpace(values[valueStart]) || isSpace(values[valueEnd - 1]));
    return spaced ? Malformation.FIELD_VALUE : null;
  }

  private @Nullable Malformation pseudo(byte[] names, int start, int end, byte[] value) {
    if (regular || value.length == 0) {
      return Malformation.PSEUDO_FIELD;
    }
    for (byte b : value) {
      if (!Ascii.isVisible(b)) {
        return Malformation.PSEUDO_FIELD;
      }
    }
    boolean known;
    if (is(names, start, end, METHOD)) {
      known = method == null;
      method = value;
    } else if (is(names, start, end, AUTHORITY)) {
      known = authority == null;
      authority = value;
    } else if (is(names, start, end, PATH)) {
      // Absolute-form would name another authority besides :authority.
      known = path == null && value[0] == '/';
      path = value;
    } else if (is(names, start, end, SCHEME)) {
      known = !scheme && (Arrays.equals(value, HTTP) || Arrays.equals(value, HTTPS));
      scheme = true;
    } else {
      known = false;
    }
    return known ? null : Malformation.PSEUDO_FIELD;
  }

  private @Nullable Malformation regular(
      byte[] names, int nameStart, int nameEnd, byte[] values, int valueStart, int valueEnd) {
    FieldName name = FieldName.of(names, nameStart, nameEnd);
    switch (name) {
      case CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TRANSFER_ENCODING, UPGRADE, HTTP2_SETTINGS -> {
        return Malformation.CONNECTION_FIELD;
      }
      case TE -> {
        if (!Ascii.equalsLower(values, valueStart, valueEnd, TRAILERS)) {
          return Malformation.CONNECTION_FIELD;
        }
      }
      case HOST -> {
        if (host != null) {
          return Malformation.HOST_REPEATED;
        }
        host = Arrays.copyOfRange(values, valueStart, valueEnd);
        return null;
      }
      case COOKIE -> {
        // A browser may send each cookie in a separate field (RFC 9113, section 8.2.3).
        if (cookies.length() > 0) {
          cookies.put(';').put(' ');
        }
        cookies.put(values, valueStart, valueEnd);
        return null;
      }
      case CONTENT_LENGTH -> length = true;
      case OTHER, TRAILER, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, PROXY_AUTHENTICATION_INFO -> {}
      case EXPECT, AUTHORIZATION, DPOP, SET_COOKIE, CACHE_CONTROL, CDN_CACHE_CONTROL, SURROGATE_CONTROL -> {}
      case FORWARDED, X_FORWARDED_FOR, X_FORWARDED_PROTO, X_FORWARDED_HOST, X_FORWARDED_PORT, X_REQUEST_ID -> {}
    }
    fields.put(names, nameStart, nameEnd).put(':').put(' ').put(values, valueStart, valueEnd).endLine();
    return null;
  }

  private @Nullable Malformation missing() {
    if (method == null || path == null || !scheme) {
      return Malformation.PSEUDO_FIELD;
    }
    for (byte b : method) {
      if (!Ascii.isToken(b)) {
        return Malformation.METHOD;
      }
    }
    if (authority == null && host == null) {
      return Malformation.HOST_MISSING;
    }
    return authority == null || host == null || same(authority, host) ? null : Malformation.AUTHORITY;
  }

  /** Hosts are compared case-insensitively. */
  private static boolean same(byte[] authority, byte[] host) {
    boolean same = authority.length == host.length;
    for (int i = 0; same && i < host.length; i++) {
      same = Ascii.lower(host[i]) == Ascii.lower(authority[i]);
    }
    return same;
  }

  private static boolean is(byte[] names, int start, int end, byte[] name) {
    return Arrays.equals(names, start, end, name, 0, name.length);
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t';
  }

  private static byte[] orNothing(byte @Nullable [] value) {
    return value == null ? NOTHING : value;
  }
}
