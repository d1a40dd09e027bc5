package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.InjectConfig.Algorithm;
import dev.gatehouse.common.realm.InjectConfig.Basic;
import dev.gatehouse.common.realm.InjectConfig.Convention;
import dev.gatehouse.common.realm.InjectConfig.Jwt;
import dev.gatehouse.common.realm.InjectConfig.Password;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.UpstreamConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key of {@code inject}, and the defaults. */
class InjectKeysTest {

  private static final String UPSTREAM = "    upstream: http://127.0.0.1:9000\n";

  @TempDir Path path;

  private RouteConfig route(String upstream, String inject) {
    return ConfigurationFolder.minimal(path).demo(UPSTREAM, upstream + inject).load().realms().getFirst().gateway().routes().getFirst();
  }

  private InjectConfig read(String inject) {
    return route(UPSTREAM, inject).identity().inject();
  }

  @Test
  void headersAloneAreTheShortForm() {
    assertThat(read("    inject: {Remote-User: user, X-Login: session.loginTime}\n"))
        .isEqualTo(InjectConfig.headers(Map.of("Remote-User", "user", "X-Login", "session.loginTime")));
    assertThat(read("    inject: {}\n")).isEqualTo(InjectConfig.NOTHING);
    assertThat(read("")).isEqualTo(InjectConfig.headers(Map.of("Remote-User", "user", "Remote-Groups", "groups")));
  }

  @Test
  void everyKey() {
    assertThat(
            read(
                """
                    inject:
                      headers: {X-User: user, X-Client: request.client}
                      query: {uid: user}
                      cookies: {APPUSER: user}
                      basic: {user: mail, passwordFrom: pin}
                      jwt: {header: X-Who, audience: [a, b], claims: {email: mail}, life: 5m, algorithm: RS256}
                      forwardAuth: [x-auth-request]
                """.indent(0)))
        .isEqualTo(
            new InjectConfig(
                Map.of("X-User", "user", "X-Client", "request.client"),
                Map.of("uid", "user"),
                Map.of("APPUSER", "user"),
                Optional.of(new Basic("mail", new Password.Of("pin"))),
                Optional.of(
                    new Jwt("X-Who", List.of("a", "b"), Map.of("email", "mail"), Duration.ofMinutes(5), Algorithm.RS256)),
                Set.of(Convention.X_AUTH_REQUEST)));
  }

  @Test
  void whatIsMissingIsTheUsual() {
    InjectConfig read = read("    inject: {basic: {user: user, password: s3cret}, jwt: {audience: app}}\n");
    assertThat(read)
        .isEqualTo(
            new InjectConfig(
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of(new Basic("user", new Password.Shared(new Secret("s3cret")))),
                Optional.of(
                    new Jwt("X-Identity-Token", List.of("app"), Map.of(), Duration.ofMinutes(1), Algorithm.ES256)),
                InjectConfig.USUAL));
    assertThat(read.toString()).doesNotContain("s3cret");
    assertThat(read.replacesAuthorization()).isTrue();
  }

  @Test
  void aRouteThatAnotherProxyServesHasNoApp() {
    RouteConfig route = route("    upstream: none\n", "");
    assertThat(route.upstream()).isEqualTo(UpstreamConfig.NONE);
    assertThat(route.upstream().isNone()).isTrue();
    assertThat(route(UPSTREAM, "").upstream().isNone()).isFalse();
  }
}
