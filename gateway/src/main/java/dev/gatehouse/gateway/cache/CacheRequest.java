package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.filter.NominatedNames;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.RequestHead;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A request as the cache sees it; finds the fields that concern the cache in one pass. */
public final class CacheRequest {

  private static final byte[] RANGE = Ascii.bytes("range");
  private static final byte[] IF_RANGE = Ascii.bytes("if-range");
  private static final byte[] IF_MATCH = Ascii.bytes("if-match");
  private static final byte[] IF_NONE_MATCH = Ascii.bytes("if-none-match");
  private static final byte[] IF_MODIFIED_SINCE = Ascii.bytes("if-modified-since");
  private static final byte[] IF_UNMODIFIED_SINCE = Ascii.bytes("if-unmodified-since");

  private final RequestHead head;
  private final Fields fields;
  private int range = -1;
  private int ifRange = -1;
  private int ifNoneMatch = -1;
  private int ifModifiedSince = -1;
  private int acceptEncoding = -1;
  private boolean ifMatch;

  /**
   * A client's request without the fields that its Connection field excludes from forwarding (RFC 9110, section 7.6.1).
   */
  public static CacheRequest of(RequestHead received) {
    Fields fields = received.fields();
    Set<String> nominated = NominatedNames.of(fields);
    return new CacheRequest(
        nominated.isEmpty() ? received : received.with(fields.only(i -> !isDropped(fields, i, nominated))));
  }

  private static boolean isDropped(Fields fields, int field, Set<String> nominated) {
    return switch (fields.name(field)) {
      case CONNECTION -> true;
      // The first four determine what is requested, so they cannot be excluded; TE is named in Connection by every
      // client that sends it, and is for this hop.
      case HOST, CACHE_CONTROL, CONTENT_LENGTH, TRANSFER_ENCODING, TE -> false;
      default -> nominated.contains(fields.nameText(field).toLowerCase(Locale.ROOT));
    };
  }

  private CacheRequest(RequestHead head) {
    this.head = head;
    this.fields = head.fields();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i) == FieldName.OTHER) {
        note(i);
      }
    }
  }

  private void note(int i) {
    switch (fields.nameEnd(i) - fields.nameStart(i)) {
      case 5 -> range = is(i, RANGE) ? i : range;
      case 8 -> {
        ifRange = is(i, IF_RANGE) ? i : ifRange;
        ifMatch |= is(i, IF_MATCH);
      }
      case 13 -> ifNoneMatch = is(i, IF_NONE_MATCH) ? i : ifNoneMatch;
      case 15 -> acceptEncoding = is(i, AcceptEncoding.NAME) ? i : acceptEncoding;
      case 17 -> ifModifiedSince = is(i, IF_MODIFIED_SINCE) ? i : ifModifiedSince;
      case 19 -> ifMatch |= is(i, IF_UNMODIFIED_SINCE);
      default -> {}
    }
  }

  private boolean is(int field, byte[] lower) {
    return HeadFields.isNamed(fields, field, lower);
  }

  /** Returns whether the cache handles the request: GET or HEAD without a body. */
  public static boolean concerns(RequestHead head) {
    return (head.method().equals("GET") || head.isHead()) && !head.hasBody();
  }

  public RequestHead head() {
    return head;
  }

  /**
   * The head for the app if the cache neither answers the request nor stores its response; it has the same fields as
   * otherwise.
   */
  public RequestHead passing(CacheScope scope) {
    for (int i = 0; i < fields.size(); i++) {
      if (!scope.passes().passesBy(fields, i)) {
        return head.with(fields.only(field -> scope.passes().passesBy(fields, field)));
      }
    }
    return head;
  }

  Fields fields() {
    return fields;
  }

  public boolean isHead() {
    return head.isHead();
  }

  /** Returns whether the request has conditions that only the app can evaluate (RFC 9110, section 13.1.1). */
  public boolean isForTheAppOnly() {
    return ifMatch;
  }

  /** Returns whether the request is conditional or asks for a part, so that its response cannot fill the cache. */
  public boolean isSpecial() {
    return range >= 0 || isConditional();
  }

  boolean isConditional() {
    return ifNoneMatch >= 0 || ifModifiedSince >= 0;
  }

  List<String> ifNoneMatch() {
    return ifNoneMatch < 0 ? List.of() : HeadFields.all(fields, "if-none-match");
  }

  String ifModifiedSince() {
    return value(ifModifiedSince);
  }

  String range() {
    return value(range);
  }

  String ifRange() {
    return value(ifRange);
  }

  private String value(int field) {
    return field < 0 ? "" : fields.value(field);
  }

  public boolean hasAuthorization() {
    return fields.next(FieldName.AUTHORIZATION, 0) >= 0 || fields.next(FieldName.DPOP, 0) >= 0;
  }

  /** Its Cache-Control; only {@code no-store} and {@code only-if-cached} are obeyed, see {@link CacheLookup}. */
  public CacheControl control() {
    return CacheControl.of(fields.all(FieldName.CACHE_CONTROL));
  }

  public boolean hasControl() {
    return fields.next(FieldName.CACHE_CONTROL, 0) >= 0;
  }

  /** Returns whether the client accepts gzip (RFC 9110, section 12.5.3). */
  public boolean acceptsGzip() {
    return acceptEncoding >= 0 && AcceptEncoding.allowsGzip(fields, acceptEncoding);
  }

  /** The query that is part of the key, with its question mark; empty if there is none. */
  public String query(CacheScope scope) {
    if (head.pathEnd() == head.targetEnd()) {
      return "";
    }
    return scope.keyed(Ascii.string(fields.bytes(), head.pathEnd(), head.targetEnd()));
  }
}
