package dev.gatehouse.idp.oauth.client;

import static dev.gatehouse.idp.oauth.client.TestClients.SECRET;
import static dev.gatehouse.idp.oauth.client.TestClients.basic;
import static dev.gatehouse.idp.oauth.client.TestClients.passed;
import static dev.gatehouse.idp.oauth.client.TestClients.post;
import static dev.gatehouse.idp.oauth.client.TestClients.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

/** Authentication by secret, and public clients. */
class ClientAuthenticationTest {

  private static final String TOKEN = "oauth/token";
  private static final String UNKNOWN = "invalid_client: the client is not known, or its credentials are wrong";

  /** 21 characters: short enough to be guessed. */
  private static final String SHORT_SECRET = "correct-horse-battery";

  private final ApplicationContext services = TestClients.services(new TestTime());
  private final Realm realm =
      TestClients.realm(
          TestClients.secret("app", Method.SECRET_BASIC, Method.SECRET_POST),
          TestClients.secret("basic-only", Method.SECRET_BASIC),
          TestClients.secret("urn:app:1", Method.SECRET_BASIC),
          TestClients.secretOf("short", SHORT_SECRET, Method.SECRET_BASIC),
          TestClients.withoutSecret("phone"));

  private Result<AuthenticatedClient, OAuthError> ask(Headers headers, String form) {
    return services.getBean(ClientAuthentications.class).authenticate(post(realm, TOKEN, headers), Parameters.parse(form));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void bySecretInTheHeaderOrInTheForm() {
    AuthenticatedClient basic = passed(ask(basic("app", encoded(SECRET)), "grant_type=x"));
    assertThat(basic.client().id()).isEqualTo("app");
    assertThat(basic.method()).isEqualTo(Method.SECRET_BASIC);
    assertThat(basic.certificate()).isEmpty();
    AuthenticatedClient post = passed(ask(Headers.empty(), "client_id=app&client_secret=" + encoded(SECRET)));
    assertThat(post.method()).isEqualTo(Method.SECRET_POST);
  }

  @Test
  void theHeaderIsReadAsAFormFirst() {
    assertThat(passed(ask(basic(encoded("urn:app:1"), encoded(SECRET)), "")).client().id()).isEqualTo("urn:app:1");
    assertThat(passed(ask(basic("app", SECRET), "")).client().id()).as("not encoded, as many send it").isEqualTo("app");
  }

  @Test
  void unknownClientAndWrongSecretAreTheSame() {
    assertThat(refusal(ask(basic("app", "wrong"), ""))).isEqualTo(UNKNOWN);
    assertThat(refusal(ask(basic("nobody", encoded(SECRET)), ""))).isEqualTo(UNKNOWN);
    assertThat(refusal(ask(basic("app", ""), ""))).isEqualTo(UNKNOWN);
    assertThat(refusal(ask(basic("phone", ""), ""))).isEqualTo(UNKNOWN);
    assertThat(refusal(ask(Headers.empty(), "client_id=nobody"))).isEqualTo(UNKNOWN);
  }

  /**
   * Past the limit, the answer does not reveal whether a short secret was correct; attempts for non-existing clients
   * are counted in the same way.
   */
  @Test
  void tenWrongSecretsOfAClientFromAnAddressSlowItThere() {
    for (String client : List.of("short", "nobody")) {
      for (int i = 0; i < 10; i++) {
        assertThat(refusal(ask(basic(client, "wrong" + i), ""))).isEqualTo(UNKNOWN);
      }
      for (String secret : List.of("wrong", SHORT_SECRET)) {
        assertThat(ask(basic(client, secret), ""))
            .isInstanceOfSatisfying(
                Result.Refused.class,
                refused -> {
                  OAuthError error = (OAuthError) refused.refusal();
                  assertThat(error.status()).isEqualTo(429);
                  assertThat(error.retryAfter()).contains(Duration.ofMinutes(15));
                });
      }
    }
    assertThat(passed(ask(basic("basic-only", encoded(SECRET)), "")).client().id()).isEqualTo("basic-only");
    RealmRequest elsewhere = post(realm, TOKEN, basic("short", SHORT_SECRET));
    EdgeRequest http = elsewhere.http();
    EdgeRequest own =
        new EdgeRequest(
            http.method(), http.origin(), http.path(), http.query(), http.headers(), new byte[0],
            InetAddress.ofLiteral("198.51.100.1"));
    RealmRequest fromItsServer = new RealmRequest(realm, elsewhere.idp(), own, List.of());
    assertThat(passed(services.getBean(ClientAuthentications.class).authenticate(fromItsServer, Parameters.none())).client().id())
        .as("strangers do not lock the client out of its own server's address")
        .isEqualTo("short");
  }

  /** For example, a server behind the same NAT with an old secret does not delay this one. */
  @Test
  void wrongSecretsHoldNoRightOneBackThatNobodyCanGuess() {
    for (int i = 0; i < 30; i++) {
      ask(basic("app", "wrong" + i), "");
      assertThat(passed(ask(basic("app", encoded(SECRET)), "")).client().id()).isEqualTo("app");
    }
    assertThat(refusal(ask(basic("app", "wrong"), ""))).contains("too many wrong secrets");
  }

  @Test
  void ofAThousandParallelGuessesTenAreAnswered() throws Exception {
    List<Boolean> answered =
        Race.of(
            1000,
            i ->
                () ->
                    i % 10 == 0
                        ? passed(ask(basic("app", encoded(SECRET)), "")).client().id().isEmpty()
                        : refusal(ask(basic("app", "wrong" + i), "")).equals(UNKNOWN));
    assertThat(answered).filteredOn(told -> told).hasSize(10);
  }

  @Test
  void aSecretOfAnotherRevisionCountsNoMore() {
    passed(ask(basic("app", encoded(SECRET)), ""));
    Realm changed = TestClients.realm(TestClients.withoutSecret("app"));
    Result<AuthenticatedClient, OAuthError> after =
        services.getBean(ClientAuthentications.class).authenticate(post(changed, TOKEN, basic("app", encoded(SECRET))), Parameters.none());
    assertThat(refusal(after)).isEqualTo(UNKNOWN);
  }

  @Test
  void onlyTheMethodsThatWereRegistered() {
    assertThat(refusal(ask(Headers.empty(), "client_id=basic-only&client_secret=" + encoded(SECRET))))
        .isEqualTo("invalid_client: the client is not registered for client_secret_post");
    assertThat(refusal(ask(Headers.empty(), "client_id=app"))).isEqualTo("invalid_client: the client must authenticate");
    assertThat(refusal(ask(Headers.empty(), "client_id=app&client_secret=")))
        .isEqualTo("invalid_client: the client must authenticate");
  }

  @Test
  void twoWaysAtOnceAreRefused() {
    assertThat(refusal(ask(basic("app", encoded(SECRET)), "client_id=app&client_secret=" + encoded(SECRET))))
        .isEqualTo("invalid_request: the client authenticates in more than one way");
    assertThat(refusal(ask(basic("app", encoded(SECRET)), "client_assertion=a&client_assertion_type=b")))
        .isEqualTo("invalid_request: the client authenticates in more than one way");
    assertThat(refusal(ask(basic("app", SECRET).and("Authorization", "Basic YTpi"), "")))
        .isEqualTo("invalid_request: there are two Authorization headers");
  }

  @Test
  void anotherClientIdInTheFormIsRefused() {
    assertThat(refusal(ask(basic("app", encoded(SECRET)), "client_id=phone")))
        .isEqualTo("invalid_request: client_id differs from that in the Authorization header");
    passed(ask(basic("app", encoded(SECRET)), "client_id=app"));
  }

  @Test
  void parametersGivenTwiceAreMalformed() {
    assertThatThrownBy(() -> ask(Headers.empty(), "client_id=app&client_id=phone")).isInstanceOf(Parameters.Malformed.class);
    assertThatThrownBy(() -> ask(Headers.empty(), "client_id=app&client_secret=a&client_secret=b"))
        .isInstanceOf(Parameters.Malformed.class);
  }

  @Test
  void publicClientsSayWhoTheyAre() {
    AuthenticatedClient phone = passed(ask(Headers.empty(), "client_id=phone"));
    assertThat(phone.method()).isEqualTo(Method.NONE);
    assertThat(refusal(ask(Headers.empty(), "grant_type=x"))).isEqualTo("invalid_client: the client does not identify itself");
  }

  @Test
  void whatIsNotBasicIsRefused() {
    String problem = "invalid_client: the Authorization header is not HTTP Basic with client ID and secret";
    for (String header : new String[] {"Bearer abc", "Basic", "Basic !!", "Basic YQ==", "Basic OmE=", "Basic /w=="}) {
      assertThat(refusal(ask(Headers.of("Authorization", header), ""))).as(header).isEqualTo(problem);
    }
  }
}
