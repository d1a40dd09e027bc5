package dev.gatehouse.idp.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.FailingServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientKeysTest {

  private static final TestKey OLD = TestKey.p256("old");
  private static final TestKey NEW = TestKey.p256("new");

  private final TestTime time = new TestTime();
  private final AtomicInteger asked = new AtomicInteger();
  private final HttpServer server;
  private volatile String jwks = OLD.jwks();
  private volatile int status = 200;
  private final ClientKeys keys = new ClientKeys(PublicHttp.of(InetAddress::isLoopbackAddress), time);
  private final Client client;

  ClientKeysTest() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          byte[] body = jwks.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    client = at(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/jwks"));
  }

  private static Client at(URI uri) {
    return new Client(TestClients.keys("app", Method.PRIVATE_KEY_JWT, new Keys.JwksUri(uri)), false);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private boolean verifies(TestKey key) {
    return ReceivedJwt.read(key.sign(JwsName.ES256, Map.of("sub", "app")), ReceivedJwt.OwnKey.REFUSED)
            instanceof Result.Accepted(ReceivedJwt jwt)
        && keys.verify(client, jwt);
  }

  @Test
  void areFetchedOnceInTenMinutes() {
    assertThat(verifies(OLD)).isTrue();
    assertThat(verifies(OLD)).isTrue();
    assertThat(asked).hasValue(1);
    time.advance(Duration.ofMinutes(10));
    assertThat(verifies(OLD)).isTrue();
    assertThat(asked).hasValue(2);
  }

  @Test
  void aNewKeyIsLookedForAtMostOnceAMinute() {
    assertThat(verifies(OLD)).isTrue();
    jwks = NEW.jwks();
    assertThat(verifies(NEW)).as("just fetched").isFalse();
    assertThat(asked).hasValue(1);
    time.advance(Duration.ofSeconds(2));
    assertThat(verifies(NEW)).isTrue();
    assertThat(verifies(OLD)).as("withdrawn").isFalse();
    assertThat(asked).hasValue(2);
    time.advance(Duration.ofSeconds(59));
    assertThat(verifies(OLD)).isFalse();
    assertThat(asked).as("once a minute").hasValue(2);
    time.advance(Duration.ofSeconds(1));
    assertThat(verifies(OLD)).isFalse();
    assertThat(asked).hasValue(3);
  }

  @Test
  void thoseOfBeforeCountForAnHourWhileTheyCannotBeFetched() {
    assertThat(verifies(OLD)).isTrue();
    status = 500;
    time.advance(Duration.ofMinutes(30));
    assertThat(verifies(OLD)).isTrue();
    time.advance(Duration.ofMinutes(31));
    assertThat(verifies(OLD)).isFalse();
    assertThat(keys.keys(client)).isEqualTo(Result.<PublicKeys, String>refused("jwks_uri could not be used: it answered with status 500"));
    status = 200;
    time.advance(Duration.ofMinutes(1));
    assertThat(verifies(OLD)).isTrue();
  }

  @Test
  void aSetThatCannotBeUsedIsNone() {
    jwks = "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}";
    assertThat(keys.keys(client)).isEqualTo(Result.<PublicKeys, String>refused("jwks_uri could not be used: a key is private or symmetric"));
  }

  @Test
  void privateAddressesAreNotAsked() {
    Client inside = at(URI.create("https://10.0.0.1/jwks"));
    assertThat(keys.keys(inside))
        .isEqualTo(
            Result.<PublicKeys, String>refused(
                "jwks_uri could not be used: its address is not one that may be called: not public, or not https"));
  }

  @Test
  void theCauseOfAFailedFetchIsNamed() throws Exception {
    try (FailingServer failing = new FailingServer()) {
      failing
          .causes()
          .forEach(
              (uri, cause) ->
                  assertThat(keys.keys(at(URI.create(uri))))
                      .isEqualTo(Result.<PublicKeys, String>refused("jwks_uri could not be used: " + cause)));
      assertThat(keys.keys(at(URI.create(failing.text()))))
          .isEqualTo(Result.<PublicKeys, String>refused("jwks_uri could not be used: it is not a JWK Set"));
    }
  }

  /** The developer is told that the keys are missing, and not that the signature is wrong. */
  @Test
  void aSignatureThatCannotBeCheckedIsNotCalledWrong() {
    status = 503;
    assertThat(verifies(OLD)).isFalse();
    assertThat(keys.problem(client)).contains("jwks_uri could not be used: it answered with status 503");
  }
}
