package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.filter.ResponseFieldsFilter;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.FieldSink;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.ResponseHead;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A response that is kept, one variant of what stands under its key. Only its gzip form comes later. */
public final class StoredResponse {

  /** What a response costs besides its bytes, roughly measured: objects, index, buffer. */
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
      ByteBuffer body,
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
   * What came from the app, made ready to be kept: without what is about the connection, with a Date.
   *
   * @param answered when it came, in seconds of the epoch
   */
  public static StoredResponse of(
      CacheFillRequest request, RoleKey roles, ResponseHead response, Freshness freshness, ByteBuffer body, long answered) {
    boolean compressible =
        request.scope().config().compress() && Gzip.isWorthIt(response, body.limit());
    ResponseHead kept = kept(response, answered, compressible);
    Vary vary = Vary.of(Vary.names(response.fields(), request.scope()), request.scope(), request.fields());
    return new StoredResponse(request.scope(), roles, vary, kept, freshness, body, compressible);
  }

  private static ResponseHead kept(ResponseHead response, long answered, boolean compressible) {
    HeadBuffer out = new HeadBuffer();
    out.put("HTTP/1.1 ").put(response.status()).put(' ');
    out.put(response.fields().bytes(), response.reasonStart(), response.reasonEnd()).endLine();
    ResponseFieldsFilter.write(response.fields(), ResponseEdits.ANONYMOUS, new KeptFields(out));
    if (HeadFields.all(response.fields(), "date").isEmpty()) {
      out.putField("Date", HttpDate.format(answered));
    }
    if (compressible) {
      out.putField("Vary", "Accept-Encoding");
    }
    return ContentCoding.parse(out);
  }

  /** Leaves out what must never come from a cache, and what is made anew for every answer. */
  private record KeptFields(HeadBuffer out) implements FieldSink {
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

  /** The same response, confirmed by a 304 (RFC 9111, section 4.3.4): its fields replace those that are here. */
  StoredResponse freshened(ResponseHead response, long asked, long answered) {
    ResponseHead confirmed = kept(response, answered, false);
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
    StoredResponse next = new StoredResponse(scope, roles, vary, merged, fresh, plain.body(), compressible);
    ContentCoding compressed = gzip;
    if (compressed != null) {
      next.gzip(compressed.body());
    }
    return next;
  }

  /** Never what describes the bytes that are kept, nor what is about the connection or a person. */
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

  /** What to ask the app with, whether this is still right. */
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

  /** Whether it answers that request, which has waited for it. */
  public boolean answers(CacheScope asked, RoleKey asking, CacheRequest request) {
    return isFor(asked, asking, request.fields()) && (shared || !request.hasAuthorization());
  }

  public boolean mayServeOnError(long now) {
    return freshness.mayServeOnError(now);
  }

  /** Whether a request with credentials of the app's may get it (RFC 9111, section 3.5). */
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

  /** Keeps the compressed form too. @param body the same in gzip */
  void gzip(ByteBuffer body) {
    gzip = new ContentCoding(Gzip.head(plain.head(), fields), body);
  }

  int weight() {
    ContentCoding compressed = gzip;
    int head = plain.head().length * 3;
    return OVERHEAD + head + plain.length() + (compressed == null ? 0 : compressed.length() + head);
  }
}
