package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.http.EdgeReply;
import org.junit.jupiter.api.Test;

/** A login at a client that begins here (OpenID Connect Core 4). */
final class InitiateLoginTest {

  private final Idp idp = CertifiedClient.provider();

  private EdgeReply begin(String clientId) {
    return idp.browser()
        .get("/realms/demo/oauth/initiate?target_link_uri=https://evil.example/&client_id=" + clientId);
  }

  @Test
  void leadsToTheClientWithOurIssuer() {
    String issuer = "iss=http%3A%2F%2Fidp.localhost%3A8080%2Frealms%2Fdemo";
    CertifiedClient plain = CertifiedClient.register(idp, "initiate_login_uri", "https://app.example/start");
    assertThat(begin(plain.id()).headers().first("Location")).hasValue("https://app.example/start?" + issuer);
    CertifiedClient withQuery = CertifiedClient.register(idp, "initiate_login_uri", "https://app.example/start?a=1");
    assertThat(begin(withQuery.id()).headers().first("Location")).hasValue("https://app.example/start?a=1&" + issuer);
  }

  @Test
  void whoHasNoSuchAddressIsNotLedTo() {
    for (String id : new String[] {"nobody", CertifiedClient.register(idp).id()}) {
      EdgeReply reply = begin(id);
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.headers().first("Location")).isEmpty();
    }
    assertThat(idp.audit.events(MessageRefused.class))
        .extracting(MessageRefused::reason)
        .containsExactly("CLIENT_UNKNOWN", "NO_INITIATE_LOGIN_URI");
  }

  @Test
  void onlyHttpsIsRegistered() {
    EdgeReply reply = CertifiedClient.registered(idp, "initiate_login_uri", "http://app.example/start");
    assertThat(OAuthApp.json(reply).path("error_description").asString())
        .isEqualTo("initiate_login_uri is not an https address");
  }
}
