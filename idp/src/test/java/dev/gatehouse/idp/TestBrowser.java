package dev.gatehouse.idp;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.idp.edge.EndpointDispatcher;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser as the identity provider sees it: cookies, redirects on request, forms. */
final class TestBrowser {

  private final EndpointDispatcher dispatch;
  private final Origin origin;
  final Map<String, String> cookies = new LinkedHashMap<>();
  InetAddress address = InetAddress.ofLiteral("192.0.2.7");
  Map<String, String> headers = Map.of("Accept", "text/html", "User-Agent", "Test/1.0");

  TestBrowser(EndpointDispatcher dispatch, Origin origin) {
    this.dispatch = dispatch;
    this.origin = origin;
  }

  EdgeReply get(String address) {
    return send("GET", address, "", true);
  }

  /** A form of our own pages, with cookies. */
  EdgeReply post(String address, Map<String, String> form) {
    return send("POST", address, encode(form), true);
  }

  /** A form on another site: SameSite=Lax withholds the cookies. */
  EdgeReply postFromElsewhere(String address, Map<String, String> form) {
    return send("POST", address, encode(form), false);
  }

  /** Follows one redirect. A login form that came without one, in response to a request by GET, is loaded from its own address. */
  EdgeReply follow(EdgeReply reply) {
    if (isLoginForm(reply)) {
      return get(loginAddress(reply));
    }
    if (reply.status() != 303) {
      throw new AssertionError("no redirect: " + reply + "\n" + reply.text());
    }
    return get(reply.headers().first("Location").orElseThrow());
  }

  static boolean isLoginForm(EdgeReply reply) {
    return reply.status() == 200 && reply.text().contains("action=\"/realms/demo/login?pending=");
  }

  /** The address of the login form to which the reply leads, or which it is. */
  static String loginAddress(EdgeReply reply) {
    return isLoginForm(reply) ? attribute(reply.text(), "action") : reply.headers().first("Location").orElse("");
  }

  /** Fills in the login form of the reply and submits it. */
  EdgeReply login(EdgeReply form, String name, String password) {
    return post(
        attribute(form.text(), "action"),
        Map.of("username", name, "password", password, "csrf", field(form.text(), "csrf")));
  }

  static String attribute(String html, String name) {
    Matcher matcher = Pattern.compile("\\b" + name + "=\"([^\"]*)\"").matcher(html);
    if (!matcher.find()) {
      throw new AssertionError("no " + name + " in " + html);
    }
    return unescape(matcher.group(1));
  }

  /** The value of a hidden field. */
  static String field(String html, String name) {
    Matcher matcher = Pattern.compile("name=\"" + name + "\"[^>]*value=\"([^\"]*)\"").matcher(html);
    if (!matcher.find()) {
      throw new AssertionError("no field " + name + " in " + html);
    }
    return unescape(matcher.group(1));
  }

  private EdgeReply send(String method, String address, String body, boolean withCookies) {
    URI url = URI.create(address);
    Headers fields = Headers.empty();
    for (Map.Entry<String, String> header : headers.entrySet()) {
      fields = fields.and(header.getKey(), header.getValue());
    }
    if (withCookies && !cookies.isEmpty()) {
      fields =
          fields.and(
              "Cookie",
              cookies.entrySet().stream().map(c -> c.getKey() + "=" + c.getValue()).collect(Collectors.joining("; ")));
    }
    if (method.equals("POST")) {
      fields = fields.and("Content-Type", "application/x-www-form-urlencoded");
      if (withCookies && fields.first("Sec-Fetch-Site").isEmpty() && fields.first("Origin").isEmpty()) {
        fields = fields.and("Origin", origin.toString());
      }
    }
    String query = url.getRawQuery() == null ? "" : url.getRawQuery();
    EdgeReply reply =
        dispatch.handle(
            new EdgeRequest(
                method, origin, url.getRawPath(), query, fields, body.getBytes(StandardCharsets.UTF_8), this.address));
    reply.headers().all("Set-Cookie").forEach(this::keep);
    return reply;
  }

  private void keep(String setCookie) {
    String pair = setCookie.substring(0, setCookie.indexOf(';'));
    String name = pair.substring(0, pair.indexOf('='));
    if (setCookie.contains("Max-Age=0")) {
      cookies.remove(name);
    } else {
      cookies.put(name, pair.substring(pair.indexOf('=') + 1));
    }
  }

  static String encode(Map<String, String> form) {
    return form.entrySet().stream()
        .map(e -> e.getKey() + "=" + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static String unescape(String text) {
    return text.replace("&amp;", "&").replace("&#39;", "'").replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
  }
}
