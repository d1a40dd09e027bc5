package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.filter.ResponseFieldsFilter;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.FieldSink;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HttpDate;
import dev.gatehouse.gateway.message.ResponseHead;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A stored response: one variant under its key. Immutable, except that its gzip coding is added later. */
public final class StoredResponse {

  /** The approximate memory of a response besides its bytes: objects, index, buffer. */
  private static final int OVERHEAD = 1024;

  private final CacheScope scope;
  private final RoleKey roles;
  private final Vary vary;
  private final int status;
  private final Fields fields;
  private final Freshness freshness;
  private final boolean shared;
  private final ContentCoding plain;
  private final Set<String> tags;
  private final boolean compressible;
  private volatile @Nullable ContentCoding gzip;

  private StoredResponse(
      CacheScope scope,
      RoleKey roles,
      Vary vary,
      ResponseHead head,
      Freshness freshness,
      CachedBody body,
      boolean compressible) {
    this.scope = scope;
    this.roles = roles;
    this.vary = vary;
    this.status = head.status();
    this.fields = head.fields();
    this.freshness = freshness;
    this.shared = Freshness.control(fields).allowsSharing();
    this.compressible = compressible;
    byte[] bytes = Arrays.copyOf(fields.bytes(), fields.bytes().length - 2);
    this.plain = new ContentCoding(bytes, body);
    this.tags = tags(scope, fields);
  }

  /**
   * Prepares an app's response for storing: without fields of the connection, with a Date.
   *
   * @param answered when it arrived, in seconds since the epoch
   */
  public static StoredResponse of(
      CacheFillRequest request, RoleKey roles, ResponseHead response, Freshness freshness, CachedBody body, long answered) {
    boolean compressible =
        request.scope().config().compress() && Gzip.isWorthIt(response, body.length());
    ResponseHead stored = storedHead(response, answered, compressible);
    Vary vary = Vary.of(Vary.names(response.fields(), request.scope()), request.scope(), request.fields());
    return new StoredResponse(request.scope(), roles, vary, stored, freshness, body, compressible);
  }

  private static ResponseHead storedHead(ResponseHead response, long answered, boolean compressible) {
    HeadBuffer out = new HeadBuffer();
    out.put("HTTP/1.1 ").put(response.status()).put(' ');
    out.put(response.fields().bytes(), response.reasonStart(), response.reasonEnd()).endLine();
    ResponseFieldsFilter.write(response.fields(), ResponseEdits.ANONYMOUS, new StoredFields(out));
    if (HeadFields.all(response.fields(), "date").isEmpty()) {
      out.putField("Date", HttpDate.format(answered));
    }
    if (compressible) {
      out.putField("Vary", "Accept-Encoding");
    }
    return ContentCoding.parse(out);
  }

  /** Omits fields that must never come from a cache, and those that are created for each answer. */
  private record StoredFields(HeadBuffer out) implements FieldSink {
    private static final byte[] AGE = Ascii.bytes("age");

    @Override
    public FieldSink putField(Fields fields, int field) {
      boolean dropped = fields.name(field) == FieldName.SET_COOKIE || HeadFields.isNamed(fields, field, AGE);
      if (!dropped) {
        out.putField(fields, field);
      }
      return this;
    }

    @Override
    public FieldSink putField(String name, String value) {
      out.putField(name, value);
      return this;
    }
  }

  private static Set<String> tags(CacheScope scope, Fields fields) {
    Set<String> tags = new HashSet<>();
    for (String value : scope.config().tags().map(name -> HeadFields.all(fields, name)).orElseGet(java.util.List::of)) {
      for (String tag : value.split("[,\\s]+")) {
        if (!tag.isEmpty()) {
          tags.add(tag);
        }
      }
    }
    return Set.copyOf(tags);
  }

  /** A copy confirmed by a 304 (RFC 9111, section 4.3.4), whose fields replace the stored ones. */
  StoredResponse freshened(ResponseHead response, long asked, long answered) {
    ResponseHead confirmed = storedHead(response, answered, false);
    HeadBuffer out = new HeadBuffer();
    out.put(fields.bytes(), 0, lineEnd());
    Set<String> replaced = new HashSet<>();
    for (int i = 0; i < confirmed.fields().size(); i++) {
      String name = confirmed.fields().nameText(i).toLowerCase(Locale.ROOT);
      if (isFreshened(confirmed.fields().name(i), name)) {
        replaced.add(name);
      }
    }
    for (int i = 0; i < fields.size(); i++) {
      if (!replaced.contains(fields.nameText(i).toLowerCase(Locale.ROOT))) {
        out.putField(fields, i);
      }
    }
    for (int i = 0; i < confirmed.fields().size(); i++) {
      if (replaced.contains(confirmed.fields().nameText(i).toLowerCase(Locale.ROOT))) {
        out.putField(confirmed.fields(), i);
      }
    }
    ResponseHead merged = ContentCoding.parse(out);
    Freshness fresh =
        Freshness.of(
            merged.fields(), response.fields(), Freshness.control(merged.fields()), scope.config(), asked, answered);
    StoredResponse next = new StoredResponse(scope, roles, vary, merged, fresh, plain.shared(), compressible);
    ContentCoding compressed = gzip;
    if (compressed != null) {
      next.gzip(compressed.shared());
    }
    return next;
  }

  /** Fields that describe the stored bytes, the connection or a person are not replaced. */
  private static boolean isFreshened(FieldName known, String name) {
    return !known.isHopByHop()
        && known != FieldName.CONTENT_LENGTH
        && known != FieldName.SET_COOKIE
        && !name.startsWith("content-")
        && !name.equals("vary")
        && !name.equals("age");
  }

  private int lineEnd() {
    byte[] bytes = fields.bytes();
    int at = 0;
    while (bytes[at] != '\n') {
      at++;
    }
    return at + 1;
  }

  /** Writes the conditions that ask the app whether this response is still current. */
  void conditions(HeadBuffer out) {
    etag().ifPresent(tag -> out.putField("If-None-Match", tag));
    HeadFields.only(fields, "last-modified").ifPresent(date -> out.putField("If-Modified-Since", date));
  }

  boolean hasValidator() {
    return Storability.hasValidator(fields);
  }

  Optional<String> etag() {
    return HeadFields.only(fields, "etag");
  }

  OptionalLong lastModified() {
    return HeadFields.only(fields, "last-modified").map(HttpDate::parse).orElse(OptionalLong.empty());
  }

  OptionalLong date() {
    return HeadFields.only(fields, "date").map(HttpDate::parse).orElse(OptionalLong.empty());
  }

  boolean isFor(CacheScope asked, RoleKey asking, Fields request) {
    return scope == asked && roles.equals(asking) && vary.matches(request);
  }

  /** Returns whether it may be sent to a request that has waited for it. */
  public boolean answers(CacheScope asked, RoleKey asking, CacheRequest request) {
    return isFor(asked, asking, request.fields()) && (shared || !request.hasAuthorization());
  }

  public boolean mayServeOnError(long now) {
    return freshness.mayServeOnError(now);
  }

  /** Returns whether a request with credentials for the app may get it (RFC 9111, section 3.5). */
  boolean isShared() {
    return shared;
  }

  boolean replaces(StoredResponse other) {
    return scope == other.scope && roles.equals(other.roles) && vary.equals(other.vary);
  }

  public CacheScope scope() {
    return scope;
  }

  RoleKey roles() {
    return roles;
  }

  int status() {
    return status;
  }

  Fields fields() {
    return fields;
  }

  public Freshness freshness() {
    return freshness;
  }

  Set<String> tags() {
    return tags;
  }

  ContentCoding plain() {
    return plain;
  }

  public boolean isCompressible() {
    return compressible;
  }

  @Nullable ContentCoding gzip() {
    return gzip;
  }

  /**
   * Adds the compressed coding.
   *
   * @param body the same body in gzip
   */
  void gzip(CachedBody body) {
    gzip = new ContentCoding(Gzip.head(plain.head(), fields), body);
  }

  /** Returns whether one of its codings has that body. */
  boolean has(CachedBody body) {
    ContentCoding compressed = gzip;
    return plain.shared() == body || compressed != null && compressed.shared() == body;
  }

  int weight() {
    ContentCoding compressed = gzip;
    int head = plain.head().length * 3;
    return OVERHEAD + head + plain.length() + (compressed == null ? 0 : compressed.length() + head);
  }
}
