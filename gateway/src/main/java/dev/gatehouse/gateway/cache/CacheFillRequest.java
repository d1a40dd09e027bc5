package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.filter.OwnCookies;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request whose response may fill the cache. The app sees only fields by which its response is keyed ({@link
 * PassedFields}). The request asks for the complete response without content coding, and is conditional only if the
 * cache itself revalidates a stored response.
 */
public final class CacheFillRequest {

  private static final RequestParser PARSER =
      new RequestParser(new HeadLimits(8 << 20, 2 << 20, 20_100));

  private final CacheScope scope;
  private final CacheRequest request;
  private final RequestHead head;
  private final boolean identified;
  private final boolean credentials;

  private CacheFillRequest(
      CacheScope scope, CacheRequest request, RequestHead head, boolean identified, boolean credentials) {
    this.scope = scope;
    this.request = request;
    this.head = head;
    this.identified = identified;
    this.credentials = credentials;
  }

  /**
   * @param path the authorized path
   * @param identified whether the app is sent the person's identity
   * @param stale the stored response to revalidate
   */
  public static CacheFillRequest of(
      CacheScope scope, CacheRequest request, String path, boolean identified, Optional<StoredResponse> stale) {
    Fields fields = request.fields();
    boolean ignoreCookies = scope.config().request().ignoreCookies();
    HeadBuffer out = new HeadBuffer();
    out.put("GET ").put(path).put(request.query(scope)).put(" HTTP/1.1").endLine();
    for (int i = 0; i < fields.size(); i++) {
      boolean ignored = ignoreCookies && fields.name(i) == FieldName.COOKIE;
      if (!ignored && scope.passes().fills(fields, i)) {
        out.putField(fields, i);
      }
    }
    stale.ifPresent(stored -> stored.conditions(out));
    out.endLine();
    boolean credentials =
        request.hasAuthorization() || !ignoreCookies && OwnCookies.othersAreIn(fields);
    return switch (PARSER.parse(Arrays.copyOf(out.array(), out.length()))) {
      case RequestHead parsed -> new CacheFillRequest(scope, request, parsed, identified, credentials);
      case ParsedRequest.Malformed malformed ->
          throw new IllegalStateException("a request that was read cannot be read again: " + malformed);
    };
  }

  public CacheScope scope() {
    return scope;
  }

  /** The head that is sent to the app. */
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

  /** The reason why no response to this request may be stored; null if there is none. */
  @Nullable NotStored refusal() {
    return request.hasControl() && request.control().noStore() ? NotStored.REQUEST_NO_STORE : null;
  }

  /**
   * Returns whether the request has fields because of which its response may not be stored although others' could be. The
   * result of such a request says nothing about others.
   */
  public static boolean isPeculiar(CacheScope scope, CacheRequest request) {
    return request.hasAuthorization()
        || !scope.config().request().ignoreCookies() && OwnCookies.othersAreIn(request.fields())
        || request.hasControl() && request.control().noStore()
        || scope.passes().tellsMoreThan(List.of(), request.fields());
  }

  public boolean isPeculiar() {
    return isPeculiar(scope, request);
  }

  /** Returns whether the app sees a field on which its response may depend and that is not part of the key. */
  boolean unkeyed(List<String> vary) {
    return scope.passes().tellsMoreThan(vary, request.fields());
  }
}
