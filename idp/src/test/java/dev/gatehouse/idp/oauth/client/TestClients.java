package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientAuthentication;
import dev.gatehouse.common.realm.ClientAuthentication.ClientSecret;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.About;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ClientConfig.Logout;
import dev.gatehouse.common.realm.ClientConfig.Requests;
import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.throttle.WindowGuessThrottle;
import dev.gatehouse.common.TestContext;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Clients without files, and their requests. */
public final class TestClients {

  /** 32 bytes, so that it is also suitable for HS256. */
  public static final String SECRET = "a secret of thirty-two bytes, :%+";

  private TestClients() {}

  /** A client that may use everything that is not historical and must use PKCE. */
  public static ClientConfig client(String id, ClientAuthentication authentication, Optional<Keys> keys, Requests requests) {
    return new ClientConfig(
        id, Optional.empty(), authentication,
        new ClientConfig.Permissions(EnumSet.of(GrantType.CODE, GrantType.REFRESH, GrantType.CLIENT_CREDENTIALS, GrantType.DEVICE),
            List.of("https://" + id + ".example/callback"), Set.of("openid", "profile", "email"), List.of()),
        new ClientConfig.Login(new SubjectType.Public(), false, Optional.empty()), requests, Tokens.USUAL, keys, Logout.NONE,
        About.NOTHING);
  }

  /** A client with {@link #SECRET}. */
  public static ClientConfig secret(String id, Method... methods) {
    return secretOf(id, SECRET, methods);
  }

  public static ClientConfig secretOf(String id, String secret, Method... methods) {
    return client(
        id,
        new ClientAuthentication(
            Set.of(methods), Optional.of(new ClientSecret.Configured(new Secret(secret))), Optional.empty()),
        Optional.empty(),
        Requests.USUAL);
  }

  public static ClientConfig keys(String id, Method method, Keys keys) {
    return client(
        id, new ClientAuthentication(Set.of(method), Optional.empty(), Optional.empty()), Optional.of(keys), Requests.USUAL);
  }

  public static ClientConfig keys(String id, Method method, TestKey key) {
    return keys(id, method, new Keys.Jwks(key.jwks()));
  }

  public static ClientConfig withoutSecret(String id) {
    return client(id, ClientAuthentication.NONE, Optional.empty(), Requests.USUAL);
  }

  public static Realm realm(ClientConfig... clients) {
    return TestRealms.change(TestRealms.demo()).clients(clients).realm();
  }

  /** With separate stores in memory; fetches only from this machine. */
  public static ApplicationContext services(InstantSource clock) {
    AnnotationConfigApplicationContext context =
        TestContext.of(
            List.of(ClientsConfig.class),
            new FixedRealms(realm()),
            (Clients.Registered) (realm, clientId) -> Optional.empty(),
            SealingKey.inMemory(new SecureRandom()),
            new WindowGuessThrottle(clock),
            new MemoryStores(clock).replayCache(),
            PublicHttp.of(InetAddress::isLoopbackAddress),
            clock);
    context.refresh();
    return context;
  }

  public static RealmRequest post(Realm realm, String path, Headers headers) {
    return post(realm, path, headers, List.of());
  }

  public static RealmRequest post(Realm realm, String path, Headers headers, List<X509Certificate> certificates) {
    EdgeRequest http =
        new EdgeRequest(
            "POST",
            Origin.of(URI.create(TestRealms.IDP)),
            "/realms/" + realm.name() + "/" + path,
            "",
            headers,
            new byte[0],
            InetAddress.ofLiteral("192.0.2.1"));
    return new RealmRequest(realm, realm.idp().orElseThrow(), http, certificates);
  }

  public static Headers basic(String user, String password) {
    return Headers.of(
        "Authorization",
        "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
  }

  /** {@code error: description}, or the value that passed. */
  public static String refusal(Result<?, OAuthError> outcome) {
    return switch (outcome) {
      case Result.Accepted<?, OAuthError> passed -> "passed";
      case Result.Refused(var error) -> error.code().value() + ": " + error.description();
    };
  }

  public static <T> T passed(Result<T, OAuthError> outcome) {
    return switch (outcome) {
      case Result.Accepted(T value) -> value;
      case Result.Refused(var error) -> throw new AssertionError(error.toString());
    };
  }
}
