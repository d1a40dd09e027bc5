package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import java.util.Optional;

/**
 * Gatehouse's own cookies, whose names begin with {@code gh_} (or {@code __Host-gh_}, {@code __Secure-gh_}): an app
 * neither sees nor sets them.
 */
public final class OwnCookies {

  private static final byte[] OWN = Ascii.bytes("gh_");
  private static final byte[][] PREFIXES = {Ascii.bytes("__host-"), Ascii.bytes("__secure-")};

  private OwnCookies() {}

  /** Writes the Cookie field without Gatehouse's cookies; omits it if no other is left. */
  static void writeOthers(Fields fields, int field, HeadBuffer out) {
    if (!containsOwn(fields.bytes(), fields.valueStart(field), fields.valueEnd(field))) {
      out.putField(fields, field);
    } else if (!writePairs(fields, field, Optional.empty(), true, out)) {
      out.endLine();
    }
  }

  /**
   * Writes all Cookie fields as one, with the injected cookies, and without Gatehouse's and those that look like an
   * injected one.
   */
  static void writeWith(Fields fields, boolean dropped, CookieEdits edits, HeadBuffer out) {
    Optional<LookalikeNames.Search> alike = Optional.of(edits.names().search());
    boolean first = true;
    for (int i = fields.next(FieldName.COOKIE, 0); i >= 0 && !dropped; i = fields.next(FieldName.COOKIE, i + 1)) {
      first = writePairs(fields, i, alike, first, out);
    }
    for (String pair : edits.added()) {
      out.put(first ? "Cookie: " : "; ").put(pair);
      first = false;
    }
    if (!first) {
      out.endLine();
    }
  }

  /** Returns whether the value of a Set-Cookie field sets one of Gatehouse's cookies. */
  public static boolean setsOwn(String value) {
    byte[] bytes = Ascii.bytes(value);
    return setsOwn(bytes, 0, bytes.length);
  }

  /**
   * Writes the pairs of one field, the very first one after the field name.
   *
   * @return whether the field name has still not been written
   */
  private static boolean writePairs(
      Fields fields, int field, Optional<LookalikeNames.Search> alike, boolean first, HeadBuffer out) {
    byte[] bytes = fields.bytes();
    int end = fields.valueEnd(field);
    boolean none = first;
    for (int at = fields.valueStart(field); at < end; ) {
      int semicolon = next(bytes, at, end, ';');
      int kept = firstKept(bytes, skipSpace(bytes, at, semicolon), semicolon, alike);
      if (kept < semicolon) {
        out.put(none ? "Cookie: " : "; ");
        writeParts(bytes, kept, semicolon, alike, out);
        none = false;
      }
      at = semicolon + 1;
    }
    return none;
  }

  /**
   * The first part of a pair that the app gets; {@code end} if it gets none. Most parsers treat a comma as a part of the value; in RFC
   * 2965 it begins another cookie. Where the parts before it are dropped, a part of a value becomes a cookie to all of them; it must not be
   * one whose name promises that no other host has set it (RFC 6265bis, section 4.1.3).
   */
  private static int firstKept(byte[] bytes, int pair, int end, Optional<LookalikeNames.Search> alike) {
    for (int part = pair; part < end; ) {
      int comma = next(bytes, part, end, ',');
      int start = skipSpace(bytes, part, comma);
      boolean promoted = part > pair;
      if (!isDropped(bytes, start, comma, alike) && !(promoted && isPrefixed(bytes, skipMarks(bytes, start, comma), comma))) {
        return start;
      }
      part = comma + 1;
    }
    return end;
  }

  /** Writes the parts of a pair from its first one that the app gets. */
  private static void writeParts(
      byte[] bytes, int kept, int end, Optional<LookalikeNames.Search> alike, HeadBuffer out) {
    int comma = next(bytes, kept, end, ',');
    out.put(bytes, kept, comma);
    while (comma < end) {
      int part = comma + 1;
      comma = next(bytes, part, end, ',');
      if (part < end && !isDropped(bytes, skipSpace(bytes, part, comma), comma, alike)) {
        out.put(',').put(bytes, part, comma);
      }
    }
  }

  private static boolean isDropped(byte[] bytes, int start, int end, Optional<LookalikeNames.Search> alike) {
    return isOwnPair(bytes, start, end) || isAlike(bytes, start, end, alike);
  }

  private static boolean isAlike(byte[] bytes, int start, int end, Optional<LookalikeNames.Search> alike) {
    return alike.isPresent() && alike.get().contains(bytes, start, next(bytes, start, end, '='));
  }

  /** Returns whether a Set-Cookie field of an app sets one of Gatehouse's cookies. */
  static boolean setsOwn(Fields fields, int field) {
    return setsOwn(fields.bytes(), fields.valueStart(field), fields.valueEnd(field));
  }

  private static boolean setsOwn(byte[] bytes, int from, int end) {
    int start = skipSpace(bytes, from, end);
    if (start < end && bytes[start] == '=') {
      // Browsers send a cookie without a name as its value alone, which then looks like name and value.
      start = skipSpace(bytes, start + 1, end);
    }
    return isOwn(bytes, start, end);
  }

  /** Returns whether there is a cookie that is not Gatehouse's, found as for the app: also behind a comma in one of Gatehouse's. */
  public static boolean othersAreIn(Fields fields) {
    byte[] bytes = fields.bytes();
    for (int i = fields.next(FieldName.COOKIE, 0); i >= 0; i = fields.next(FieldName.COOKIE, i + 1)) {
      int end = fields.valueEnd(i);
      for (int at = fields.valueStart(i); at < end; ) {
        int semicolon = next(bytes, at, end, ';');
        if (firstKept(bytes, skipSpace(bytes, at, semicolon), semicolon, Optional.empty()) < semicolon) {
          return true;
        }
        at = semicolon + 1;
      }
    }
    return false;
  }

  private static boolean containsOwn(byte[] bytes, int start, int end) {
    for (int at = start; at < end; at++) {
      if (isOwnPair(bytes, skipSpace(bytes, at, end), end)) {
        return true;
      }
      while (at < end && bytes[at] != ';' && bytes[at] != ',') {
        at++;
      }
    }
    return false;
  }

  private static int next(byte[] bytes, int at, int end, char sign) {
    int i = at;
    while (i < end && bytes[i] != sign) {
      i++;
    }
    return i;
  }

  /** Recognizes Gatehouse's names also in quotation marks, after a dollar sign, or as a cookie without a name. */
  private static boolean isOwnPair(byte[] bytes, int start, int end) {
    return isOwn(bytes, skipMarks(bytes, start, end), end);
  }

  private static int skipMarks(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && (bytes[at] == '"' || bytes[at] == '$' || bytes[at] == '=' || bytes[at] == ' ' || bytes[at] == '\t')) {
      at++;
    }
    return at;
  }

  private static boolean isPrefixed(byte[] bytes, int start, int end) {
    for (byte[] prefix : PREFIXES) {
      if (startsWith(bytes, start, end, prefix)) {
        return true;
      }
    }
    return false;
  }

  private static int skipSpace(byte[] bytes, int at, int end) {
    int i = at;
    while (i < end && (bytes[i] == ' ' || bytes[i] == '\t')) {
      i++;
    }
    return i;
  }

  private static boolean isOwn(byte[] bytes, int start, int end) {
    int at = start;
    int before;
    do {
      before = at;
      for (byte[] prefix : PREFIXES) {
        at += startsWith(bytes, at, end, prefix) ? prefix.length : 0;
      }
    } while (at > before);
    return startsWith(bytes, at, end, OWN);
  }

  private static boolean startsWith(byte[] bytes, int start, int end, byte[] lower) {
    return end - start >= lower.length && Ascii.equalsLower(bytes, start, start + lower.length, lower);
  }
}
