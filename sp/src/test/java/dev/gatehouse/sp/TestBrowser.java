package dev.gatehouse.sp;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.sp.edge.SpPaths;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A browser as far as these tests need it: host-only SameSite=Lax cookies, fetch metadata, and redirects that it
 * follows by GET. It stops at origins that do not belong to the service provider.
 */
public final class TestBrowser {

  private final SpWorld world;
  private final InetAddress address;
  private final Map<String, Map<String, String>> cookies = new LinkedHashMap<>();

  public TestBrowser(SpWorld world) {
    this(world, "192.0.2.10");
  }

  public TestBrowser(SpWorld world, String address) {
    this.world = world;
    this.address = InetAddress.ofLiteral(address);
  }

  /** The same browser after a restart of the service provider. */
  public TestBrowser at(SpWorld restarted) {
    TestBrowser same = new TestBrowser(restarted, address.getHostAddress());
    cookies.forEach((origin, jar) -> jar.forEach((name, value) -> same.setCookie(origin, name, value)));
    return same;
  }

  public Map<String, String> cookies(String origin) {
    return Map.copyOf(cookies.getOrDefault(origin, Map.of()));
  }

  public Optional<String> cookie(String origin, String name) {
    return Optional.ofNullable(cookies.getOrDefault(origin, Map.of()).get(name));
  }

  public void setCookie(String origin, String name, String value) {
    cookies.computeIfAbsent(origin, o -> new LinkedHashMap<>()).put(name, value);
  }

  /** The person types the address. */
  public EdgeReply open(String url) {
    return get(url, "none");
  }

  /** The person follows a link on a page with this relation to the origin: {@code same-origin}, {@code cross-site}. */
  public EdgeReply get(String url, String site) {
    return send("GET", url, site, "navigate", List.of(), new byte[0], true);
  }

  /** A script sends a request. */
  public EdgeReply fetch(String method, String url) {
    return send(method, url, "same-origin", "cors", List.of(), new byte[0], true);
  }

  /** The origin's own page sends a form. */
  public EdgeReply post(String url, Map<String, String> fields) {
    return form(url, "same-origin", fields);
  }

  /** Another site's page sends a form, without our SameSite=Lax cookies. */
  public EdgeReply postFromElsewhere(String url, Map<String, String> fields) {
    return form(url, "cross-site", fields);
  }

  /** Another site's page sends the content of {@code request}. */
  public EdgeReply submitFromElsewhere(EdgeRequest request) {
    return send("POST", request.origin() + request.path(), "cross-site", "navigate", formType(), request.body(), false);
  }

  /**
   * A site whose requests carry our cookies (same site, or a browser without SameSite) sends the content of
   * {@code request}.
   */
  public EdgeReply submitWithCookies(EdgeRequest request) {
    return send("POST", request.origin() + request.path(), "same-site", "navigate", formType(), request.body(), true);
  }

  /** Follows redirects while they stay at the service provider's endpoints. */
  public EdgeReply follow(EdgeReply reply) {
    EdgeReply now = reply;
    for (int hops = 0; now.status() == 303; hops++) {
      if (hops == 10) {
        throw new AssertionError("redirected too often: " + now);
      }
      URI location = SpWorld.location(now);
      boolean ours =
          location.getHost() == null
              || location.toString().startsWith(SpWorld.HOME)
              || location.toString().startsWith(SpWorld.OTHER);
      if (!ours || !location.getPath().startsWith(SpPaths.PREFIX)) {
        return now;
      }
      now = get(location.getHost() == null ? SpWorld.HOME + location : location.toString(), "cross-site");
    }
    return now;
  }

  /** The request as it would be sent, without sending it. */
  public EdgeRequest request(String method, String url, String site, Map<String, String> fields) {
    return build(method, url, site, "navigate", formType(), encode(fields), !site.equals("cross-site"));
  }

  public void remember(String origin, EdgeReply reply) {
    for (String set : reply.headers().all("Set-Cookie")) {
      String pair = set.substring(0, set.indexOf(';'));
      int equals = pair.indexOf('=');
      Map<String, String> jar = cookies.computeIfAbsent(origin, o -> new LinkedHashMap<>());
      if (set.contains("Max-Age=0")) {
        jar.remove(pair.substring(0, equals));
      } else {
        jar.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
  }

  private EdgeReply form(String url, String site, Map<String, String> fields) {
    return send("POST", url, site, "navigate", formType(), encode(fields), !site.equals("cross-site"));
  }

  private EdgeReply send(
      String method, String url, String site, String mode, List<Headers.Field> more, byte[] body, boolean withCookies) {
    EdgeRequest request = build(method, url, site, mode, more, body, withCookies);
    EdgeReply reply = world.serve(request);
    remember(request.origin().toString(), reply);
    return reply;
  }

  private EdgeRequest build(
      String method, String url, String site, String mode, List<Headers.Field> more, byte[] body, boolean withCookies) {
    int start = url.indexOf('/', "https://".length());
    String origin = start < 0 ? url : url.substring(0, start);
    String target = start < 0 ? "/" : url.substring(start);
    int question = target.indexOf('?');
    List<Headers.Field> fields = new ArrayList<>(more);
    fields.add(new Headers.Field("Accept", "text/html,*/*;q=0.8"));
    fields.add(new Headers.Field("Sec-Fetch-Mode", mode));
    fields.add(new Headers.Field("Sec-Fetch-Site", site));
    Map<String, String> jar = cookies.getOrDefault(origin, Map.of());
    if (withCookies && !jar.isEmpty()) {
      String line =
          jar.entrySet().stream().map(c -> c.getKey() + "=" + c.getValue()).collect(Collectors.joining("; "));
      fields.add(new Headers.Field("Cookie", line));
    }
    return new EdgeRequest(
        method,
        Origin.of(URI.create(origin)),
        question < 0 ? target : target.substring(0, question),
        question < 0 ? "" : target.substring(question + 1),
        Headers.of(fields),
        body,
        address);
  }

  private static List<Headers.Field> formType() {
    return List.of(new Headers.Field("Content-Type", "application/x-www-form-urlencoded"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static byte[] encode(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
        .collect(Collectors.joining("&"))
        .getBytes(StandardCharsets.UTF_8);
  }
}
