package dev.gatehouse.idp;

import dev.gatehouse.common.realm.ClientAuthentication;
import dev.gatehouse.common.realm.ClientAuthentication.ClientSecret;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.About;
import dev.gatehouse.common.realm.ClientConfig.AccessTokenFormat;
import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Logout;
import dev.gatehouse.common.realm.ClientConfig.Requests;
import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.realm.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** OAuth clients without files; each step returns a changed copy. */
record TestClient(ClientConfig config) {

  static final String SECRET = "gX1fBat3bV";

  /** A web application that may use code and refresh, with the scopes of OpenID Connect. */
  static TestClient web(String clientId) {
    return new TestClient(
        new ClientConfig(
            clientId, Optional.empty(),
            new ClientAuthentication(
                Set.of(Method.SECRET_BASIC, Method.SECRET_POST),
                Optional.of(new ClientSecret.Configured(new Secret(SECRET))),
                Optional.empty()),
            new ClientConfig.Permissions(Set.of(GrantType.CODE, GrantType.REFRESH), List.of("https://client.example.com/cb"),
                Set.of("openid", "profile", "email", "offline_access", "roles", "read", "write"), List.of()),
            new ClientConfig.Login(new SubjectType.Public(), false, Optional.empty()), Requests.USUAL, Tokens.USUAL,
            Optional.empty(), Logout.NONE, About.NOTHING));
  }

  TestClient withoutSecret() {
    ClientConfig c = config;
    return copy(ClientAuthentication.NONE, c.permissions().grants(), c.permissions().redirectUris(), c.permissions().scopes(),
        c.permissions().resources(), c.requests(), c.tokens());
  }

  TestClient grants(GrantType... grants) {
    ClientConfig c = config;
    return copy(c.authentication(), Set.of(grants), c.permissions().redirectUris(), c.permissions().scopes(), c.permissions().resources(),
        c.requests(), c.tokens());
  }

  TestClient scopes(String... scopes) {
    ClientConfig c = config;
    return copy(c.authentication(), c.permissions().grants(), c.permissions().redirectUris(), Set.of(scopes), c.permissions().resources(),
        c.requests(), c.tokens());
  }

  TestClient resources(String... resources) {
    ClientConfig c = config;
    return copy(c.authentication(), c.permissions().grants(), c.permissions().redirectUris(), c.permissions().scopes(), List.of(resources),
        c.requests(), c.tokens());
  }

  TestClient withoutPkce() {
    ClientConfig c = config;
    Requests r = c.requests();
    return copy(
        c.authentication(), c.permissions().grants(), c.permissions().redirectUris(), c.permissions().scopes(), c.permissions().resources(),
        new Requests(
            false, r.pushed(), r.signed(), r.requestUris(), r.requestAlgorithm(), r.authenticationAlgorithm(),
            r.defaultMaxAge(), r.requireAuthTime(), r.defaultAcrValues()),
        c.tokens());
  }

  TestClient opaque() {
    return tokens(t -> tokens(t, AccessTokenFormat.OPAQUE, t.accessTokenAlgorithm(), t.refreshGrace(), t.binding()));
  }

  TestClient algorithm(JwsName algorithm) {
    return tokens(t -> tokens(t, t.accessToken(), algorithm, t.refreshGrace(), t.binding()));
  }

  TestClient grace(Duration grace) {
    return tokens(t -> tokens(t, t.accessToken(), t.accessTokenAlgorithm(), grace, t.binding()));
  }

  TestClient bound(Binding binding) {
    return tokens(t -> tokens(t, t.accessToken(), t.accessTokenAlgorithm(), t.refreshGrace(), binding));
  }

  /** Encrypted to a key that the client does not have. */
  TestClient encryptedIdTokens() {
    return tokens(
        t ->
            new Tokens(
                t.accessToken(), t.accessTokenAlgorithm(), t.accessTokenLife(), t.refreshTokenLife(), t.refreshGrace(),
                t.idTokenAlgorithm(), Optional.of(new ClientConfig.Encryption("RSA-OAEP-256", "A256GCM")),
                t.userInfoAlgorithm(), t.userInfoEncryption(), t.binding()));
  }

  private TestClient tokens(UnaryOperator<Tokens> change) {
    ClientConfig c = config;
    return copy(
        c.authentication(), c.permissions().grants(), c.permissions().redirectUris(), c.permissions().scopes(), c.permissions().resources(),
        c.requests(),
        change.apply(c.tokens()));
  }

  private static Tokens tokens(
      Tokens t, AccessTokenFormat format, JwsName algorithm, Duration grace, Binding binding) {
    return new Tokens(
        format, algorithm, t.accessTokenLife(), t.refreshTokenLife(), grace, t.idTokenAlgorithm(),
        t.idTokenEncryption(), t.userInfoAlgorithm(), t.userInfoEncryption(), binding);
  }

  private TestClient copy(
      ClientAuthentication authentication,
      Set<GrantType> grants,
      List<String> redirectUris,
      Set<String> scopes,
      List<String> resources,
      Requests requests,
      Tokens tokens) {
    ClientConfig c = config;
    return new TestClient(
        new ClientConfig(
            c.clientId(), c.displayName(), authentication,
            new ClientConfig.Permissions(grants, redirectUris, scopes, resources),
            new ClientConfig.Login(c.login().subject(), c.login().consent(), c.login().contract()), requests, tokens, c.keys(), c.logout(),
            c.about()));
  }
}
