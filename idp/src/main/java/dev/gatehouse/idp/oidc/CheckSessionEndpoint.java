package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.session.StateCookie;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The {@code check_session_iframe} (OpenID Connect Session Management 1.0, section 3.3): a page in frames of clients
 * that answers their messages. Pages of any origin may frame it, because it only tells them whether the state that they
 * send is still current. It is our only page that needs a script.
 */
final class CheckSessionEndpoint implements Endpoint {

  static final String PATH = "oauth/check_session";

  private static final String SCRIPT = resource("check-session.js");

  private static final String POLICY =
      "default-src 'none'; base-uri 'none'; form-action 'none'; script-src '" + digest(SCRIPT) + "'";

  @Override
  public EdgeReply handle(RealmRequest request) {
    // A realm's name contains only letters, digits and hyphens, so the cookie's name needs no escaping.
    String page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Session</title>\n</head>\n"
            + "<body data-cookie=\"" + StateCookie.name(request) + "\">\n<script>" + SCRIPT + "</script>\n"
            + "</body>\n</html>\n";
    return EdgeReply.of(200, "text/html;charset=utf-8", page)
        .with("Content-Security-Policy", POLICY)
        .with("X-Content-Type-Options", "nosniff")
        .with("Referrer-Policy", "no-referrer")
        .with("Cache-Control", "public, max-age=3600");
  }

  private static String resource(String name) {
    try (InputStream in = CheckSessionEndpoint.class.getResourceAsStream("/oidc/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the class path has no /oidc/" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(String script) {
    return "sha256-" + Base64.getEncoder().encodeToString(Sha256.of(script));
  }
}
