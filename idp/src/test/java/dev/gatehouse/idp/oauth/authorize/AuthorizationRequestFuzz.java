package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequests.Read;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.TestClients;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * Authorization requests: accepted or refused. For any input, an answer goes only to a registered redirect URI, and an
 * accepted request is encoded and decoded unchanged.
 */
public final class AuthorizationRequestFuzz {

  private static final ClientConfig CONFIG = TestClients.secret("app", Method.SECRET_BASIC);
  private static final Client CLIENT = new Client(CONFIG, false);
  private static final RealmRequest REQUEST =
      TestClients.post(TestClients.realm(CONFIG), "oauth/authorize", Headers.empty());
  private static final AuthorizationRequests REQUESTS =
      new AuthorizationRequests(
          (request, client, token) -> OAuthError.refused(Code.INVALID_REQUEST, "no hint"), () -> Instant.EPOCH);
  private static final AuthorizationRequestCodec CODEC = new AuthorizationRequestCodec();

  private AuthorizationRequestFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    Parameters sent;
    try {
      sent = Parameters.parse(new String(bytes, StandardCharsets.UTF_8));
    } catch (Parameters.Malformed expected) {
      return;
    }
    switch (REQUESTS.read(REQUEST, CLIENT, RequestParameters.of(sent))) {
      case Read.Unanswerable unanswerable -> {}
      case Read.Refused(ResponseTarget reply, var error) -> requireOurs(reply);
      case Read.Accepted(AuthorizationRequest asked) -> {
        requireOurs(asked.reply());
        if (!CODEC.decode(CODEC.encode(asked)).equals(asked)) {
          throw new IllegalStateException("kept as something else");
        }
      }
    }
  }

  private static void requireOurs(ResponseTarget reply) {
    if (!CONFIG.permissions().redirectUris().contains(reply.redirectUri())) {
      throw new IllegalStateException("an open redirector");
    }
  }

  public static List<byte[]> seeds() {
    String request =
        "client_id=app&response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&scope=openid+profile&state=s"
            + "&nonce=n&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";
    return List.of(
        request.getBytes(StandardCharsets.UTF_8),
        (request + "&prompt=login+consent&max_age=10&acr_values=mfa+password&ui_locales=de&login_hint=alice&response_mode=form_post")
            .getBytes(StandardCharsets.UTF_8),
        (request
                + "&claims=%7B%22id_token%22%3A%7B%22acr%22%3A%7B%22essential%22%3Atrue%2C%22values%22%3A%5B%22mfa%22%5D%7D%2C%22sub%22"
                + "%3A%7B%22value%22%3A%22x%22%7D%7D%7D&resource=https%3A%2F%2Fapi.example&id_token_hint=x")
            .getBytes(StandardCharsets.UTF_8));
  }
}
