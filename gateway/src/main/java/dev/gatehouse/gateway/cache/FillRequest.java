package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.filter.OwnCookies;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request whose answer may fill the cache: what the app sees of it is what its answer is keyed by. It asks for the whole
 * and for no encoding, and is conditional only where the cache itself has something to confirm.
 */
public final class FillRequest {

  /** What clients usually send, and what answers are not expected to depend on unless Vary says so. */
  private static final Set<String> USUAL =
      Set.of(
          "accept", "accept-charset", "accept-language", "accept-encoding", "user-agent", "referer", "dnt", "from",
          "pragma", "priority", "purpose", "range", "save-data", "upgrade-insecure-requests", "via", "device-memory",
          "if-range", "if-none-match", "if-modified-since", "traceparent", "tracestate", "cdn-loop", "x-request-id",
          "x-correlation-id", "early-data");

  private static final Set<FieldName> DROPPED =
      EnumSet.of(FieldName.CACHE_CONTROL, FieldName.CONTENT_LENGTH, FieldName.TRANSFER_ENCODING, FieldName.EXPECT);

  private static final RequestParser PARSER =
      new RequestParser(new HeadLimits(8 << 20, 2 << 20, 20_100));

  private final CacheScope scope;
  private final CacheRequest request;
  private final RequestHead head;
  private final boolean identified;
  private final boolean credentials;

  private FillRequest(
      CacheScope scope, CacheRequest request, RequestHead head, boolean identified, boolean credentials) {
    this.scope = scope;
    this.request = request;
    this.head = head;
    this.identified = identified;
    this.credentials = credentials;
  }

  /**
   * @param path as it was authorised
   * @param identified whether the app is told who asks
   * @param stale what is to be confirmed
   */
  public static FillRequest of(
      CacheScope scope, CacheRequest request, String path, boolean identified, Optional<StoredResponse> stale) {
    Fields fields = request.fields();
    boolean ignoreCookies = scope.config().ignoreCookies();
    HeadBuffer out = new HeadBuffer();
    out.put("GET ").put(path).put(request.query(scope)).put(" HTTP/1.1").endLine();
    for (int i = 0; i < fields.size(); i++) {
      if (!isDropped(fields, i, ignoreCookies)) {
        out.putField(fields, i);
      }
    }
    stale.ifPresent(kept -> kept.conditions(out));
    out.endLine();
    boolean credentials =
        request.hasAuthorization() || !ignoreCookies && OwnCookies.othersAreIn(fields);
    return switch (PARSER.parse(Arrays.copyOf(out.array(), out.length()))) {
      case RequestHead parsed -> new FillRequest(scope, request, parsed, identified, credentials);
      case ParsedRequest.Malformed malformed ->
          throw new IllegalStateException("a request that was read cannot be read again: " + malformed);
    };
  }

  private static boolean isDropped(Fields fields, int field, boolean ignoreCookies) {
    FieldName name = fields.name(field);
    return name == FieldName.OTHER && isAsked(fields.nameText(field))
        || name == FieldName.COOKIE && ignoreCookies
        || DROPPED.contains(name);
  }

  /** Fields that say which form or part of the answer the client wants. */
  private static boolean isAsked(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "range", "if-range", "if-none-match", "if-modified-since", "accept-encoding", "pragma" -> true;
      case String other -> false;
    };
  }

  public CacheScope scope() {
    return scope;
  }

  /** The head that the app gets. */
  public RequestHead head() {
    return head;
  }

  /** The fields that the client sent. */
  Fields fields() {
    return request.fields();
  }

  boolean identified() {
    return identified;
  }

  boolean credentials() {
    return credentials;
  }

  /** Why no answer to it may be kept. */
  @Nullable NotStored refusal() {
    return request.hasControl() && request.control().noStore() ? NotStored.REQUEST_NO_STORE : null;
  }

  /**
   * Whether the client sends something for whose sake its answer may not be kept where others' would be. What becomes
   * of such a request says nothing of others.
   */
  public static boolean isPeculiar(CacheScope scope, CacheRequest request) {
    return request.hasAuthorization()
        || !scope.config().ignoreCookies() && OwnCookies.othersAreIn(request.fields())
        || request.hasControl() && request.control().noStore()
        || unkeyed(request.fields(), List.copyOf(scope.config().keyHeaders()));
  }

  public boolean isPeculiar() {
    return isPeculiar(scope, request);
  }

  /** Whether the app sees a field that is neither usual nor part of the key. */
  boolean unkeyed(List<String> vary) {
    return unkeyed(request.fields(), vary);
  }

  private static boolean unkeyed(Fields fields, List<String> vary) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i) != FieldName.OTHER) {
        continue;
      }
      String name = Ascii.string(fields.bytes(), fields.nameStart(i), fields.nameEnd(i)).toLowerCase(Locale.ROOT);
      if (!USUAL.contains(name) && !name.startsWith("sec-") && !vary.contains(name)) {
        return true;
      }
    }
    return false;
  }
}
