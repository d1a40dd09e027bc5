package dev.gatehouse.gateway.demo;

import dev.gatehouse.common.crypto.Sha256;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The part of a training run that is about tokens: programs get them for themselves and for people, show them, and refresh them. */
public final class TokenTraining {

  private static final List<String> CLIENTS = List.of("demo-client", "demo-es256");
  private static final String LEGACY = "demo-legacy";
  private static final String SECRET = "demo-secret";
  private static final String CALLBACK = "http://localhost:9999/callback";
  private static final String SCOPES = "openid profile email";
  private static final int TIMES = 2;
  private static final Pattern CODE = Pattern.compile("[?&]code=([^&]+)");

  private final String oauth;

  public TokenTraining(DemoPorts ports) {
    this.oauth = "http://idp.localhost:" + ports.idpHttp() + "/realms/demo/oauth";
  }

  /**
   * Returns the number of access tokens.
   *
   * @param person who is logged in
   * @throws IOException if something was refused
   */
  public int round(DemoBrowser person, String name) throws IOException {
    int tokens = 0;
    for (int i = 0; i < TIMES; i++) {
      for (String client : CLIENTS) {
        show(client, token(client, Map.of("grant_type", "client_credentials")), false);
        tokens += 1 + code(person, client);
      }
      String password = token(LEGACY, Map.of("grant_type", "password", "username", name, "password", "demo", "scope", SCOPES));
      show(LEGACY, password, true);
      tokens++;
    }
    return tokens;
  }

  /** The code flow with PKCE of somebody who is logged in (RFC 6749, section 4.1; RFC 7636). */
  private int code(DemoBrowser person, String client) throws IOException {
    String verifier = UUID.randomUUID() + "-" + UUID.randomUUID();
    URI request =
        URI.create(
            oauth + "/authorize?response_type=code&client_id=" + client + "&redirect_uri=" + encoded(CALLBACK) + "&scope=" + encoded(SCOPES)
                + "&state=s&nonce=n&code_challenge_method=S256&code_challenge=" + Sha256.base64Url(verifier));
    Matcher code = CODE.matcher(person.redirectTo(request, CALLBACK).toString());
    if (!code.find()) {
      throw new IOException("no code for " + client);
    }
    Map<String, String> form =
        Map.of("grant_type", "authorization_code", "code", code.group(1), "redirect_uri", CALLBACK, "code_verifier", verifier);
    String answer = token(client, form);
    show(client, answer, true);
    Optional<String> refresh = member(answer, "refresh_token");
    if (refresh.isEmpty()) {
      return 1;
    }
    show(client, token(client, Map.of("grant_type", "refresh_token", "refresh_token", refresh.get())), true);
    return 2;
  }

  private String token(String client, Map<String, String> form) throws IOException {
    return required(DemoBrowser.call(URI.create(oauth + "/token"), basic(client), form), "\"access_token\"");
  }

  /** Asks about a token, as apps do. @param ofPerson whether it is a person's, with openid */
  private void show(String client, String answer, boolean ofPerson) throws IOException {
    String token = member(answer, "access_token").orElseThrow();
    required(DemoBrowser.call(URI.create(oauth + "/introspect"), basic(client), Map.of("token", token)), "\"active\":true");
    if (ofPerson) {
      required(DemoBrowser.call(URI.create(oauth + "/userinfo"), "Bearer " + token, Map.of()), "\"sub\"");
      required(DemoBrowser.call(URI.create(oauth + "/tokeninfo"), "Bearer " + token, Map.of()), "\"scope\"");
    }
  }

  private static String required(DemoBrowser.Page answer, String text) throws IOException {
    if (answer.status() != 200 || !answer.html().contains(text)) {
      throw new IOException("status " + answer.status() + " at " + answer.address());
    }
    return answer.html();
  }

  private static Optional<String> member(String json, String name) {
    Matcher member = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]+)\"").matcher(json);
    return member.find() ? Optional.of(member.group(1)) : Optional.empty();
  }

  private static String basic(String client) {
    return "Basic " + Base64.getEncoder().encodeToString((client + ":" + SECRET).getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
