package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.codec.FieldReader;
import dev.gatehouse.sp.codec.FieldWriter;
import dev.gatehouse.sp.edge.SpRealm;
import java.net.URI;
import java.util.Optional;

/**
 * Where a person goes after the login: always an origin of the realm's own.
 *
 * @param path raw path and query, beginning with exactly one slash
 * @param nonceHash for an origin other than home: the hash of the value that the browser holds there
 */
public record ReturnTarget(Origin origin, String path, Optional<String> nonceHash) {

  private static final int LONGEST = 4096;

  /**
   * The only paths below {@link ServiceProvider#PREFIX} that a login may lead to: the page that confirms a kept POST, and
   * the person's own two.
   */
  private static final String REPLAY = ServiceProvider.REPLAY + "?";

  private static final String ACCOUNT = ServiceProvider.PREFIX + "account";
  private static final String SECRETS = ServiceProvider.PREFIX + "secrets";

  public ReturnTarget {
    if (!isLocalPath(path)) {
      throw new IllegalArgumentException("not a local path");
    }
  }

  /** The page that was asked for. */
  public static ReturnTarget of(EdgeRequest request) {
    String path = request.query().isEmpty() ? request.path() : request.path() + "?" + request.query();
    return local(request.origin(), path);
  }

  /** That path at that origin, or the origin's default page where it is no {@linkplain #isLocalPath local path}. */
  public static ReturnTarget local(Origin origin, String path) {
    return new ReturnTarget(origin, isLocalPath(path) ? path : "/", Optional.empty());
  }

  /**
   * Reads what a link names: a path at {@code here}, or an absolute URL at an origin of the realm. Anything else is the
   * default page at {@code here}. Origins are compared as text, so that no parser's opinion on user-info, backslashes
   * or missing slashes matters.
   */
  public static ReturnTarget parse(String text, SpRealm realm, Origin here) {
    return realm
        .origins()
        .filter(origin -> text.startsWith(origin + "/"))
        .findFirst()
        .map(origin -> local(origin, text.substring(origin.toString().length())))
        .orElseGet(() -> local(here, text));
  }

  public ReturnTarget withNonceHash(String hash) {
    return new ReturnTarget(origin, path, Optional.of(hash));
  }

  /** The whole URL, for a Location field; it may hold characters that {@link URI} is too strict for. */
  public String url() {
    return origin + path;
  }

  /**
   * Whether a browser would take it as a path at the same origin: one slash in front, then neither a slash nor a
   * backslash (WHATWG URL 4.4 reads both as the beginning of a host), visible ASCII only, no other backslash in the
   * path.
   */
  public static boolean isLocalPath(String text) {
    if (text.isEmpty() || text.length() > LONGEST || text.charAt(0) != '/') {
      return false;
    }
    boolean inQuery = false;
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#' || c == '\\' && !inQuery || c == '/' && i == 1) {
        return false;
      }
      inQuery |= c == '?';
    }
    return !text.startsWith(ServiceProvider.PREFIX)
        || text.startsWith(REPLAY)
        || text.equals(ACCOUNT)
        || text.equals(SECRETS);
  }

  public static void write(FieldWriter out, ReturnTarget target) {
    out.text(target.origin().toString());
    out.text(target.path());
    out.optional(target.nonceHash(), FieldWriter::text);
  }

  public static ReturnTarget read(FieldReader in) {
    return new ReturnTarget(
        Origin.of(URI.create(in.text())), in.text(), in.optional(FieldReader::text));
  }
}
