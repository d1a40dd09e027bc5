package dev.gatehouse.sp.login;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import java.net.URI;
import java.util.Optional;

/**
 * The page to which a person returns after the login: always at one of the realm's own origins.
 *
 * @param path raw path and query, beginning with exactly one slash
 * @param nonceHash for an origin other than the home origin: the hash of the nonce that the browser holds there
 */
public record ReturnTarget(Origin origin, String path, Optional<String> nonceHash) {

  private static final int LONGEST = 4096;

  /**
   * The only paths below {@link SpPaths#PREFIX} to which a login may lead: the page that confirms a saved POST,
   * and the person's account and secrets pages.
   */
  private static final String REPLAY = SpPaths.REPLAY + "?";

  private static final String ACCOUNT = SpPaths.PREFIX + "account";
  private static final String SECRETS = SpPaths.PREFIX + "secrets";

  public ReturnTarget {
    if (!isLocalPath(path)) {
      throw new IllegalArgumentException("not a local path");
    }
  }

  /** The requested page. */
  public static ReturnTarget of(EdgeRequest request) {
    String path = request.query().isEmpty() ? request.path() : request.path() + "?" + request.query();
    return local(request.origin(), path);
  }

  /** The path at the origin, or the origin's default page if the path is not a {@linkplain #isLocalPath local path}. */
  public static ReturnTarget local(Origin origin, String path) {
    return new ReturnTarget(origin, isLocalPath(path) ? path : "/", Optional.empty());
  }

  /**
   * Reads the target of a link: a path at {@code here}, or an absolute URL at an origin of the realm. Any other text
   * gives the default page at {@code here}. Origins are compared as text, so that it does not matter how a parser
   * treats user-info, backslashes or missing slashes.
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

  /** The whole URL, for a Location field. It may contain characters that {@link URI} rejects. */
  public String url() {
    return origin + path;
  }

  /**
   * Returns whether a browser treats the text as a path at the same origin: one slash in front, not followed by a slash
   * or a backslash (WHATWG URL 4.4 reads both as the beginning of a host), only visible ASCII, and no other backslash
   * in the path.
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
    return !text.startsWith(SpPaths.PREFIX)
        || text.startsWith(REPLAY)
        || text.equals(ACCOUNT)
        || text.equals(SECRETS);
  }

  public static void write(PackedWriter out, ReturnTarget target) {
    out.text(target.origin().toString());
    out.text(target.path());
    out.optional(target.nonceHash(), PackedWriter::text);
  }

  public static ReturnTarget read(PackedReader in) {
    return new ReturnTarget(
        Origin.of(URI.create(in.text())), in.text(), in.optional(PackedReader::text));
  }
}
