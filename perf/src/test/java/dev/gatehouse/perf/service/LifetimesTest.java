package dev.gatehouse.perf.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.SessionTimeouts;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.perf.oauth.OAuthServer;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.Lifetimes;
import dev.gatehouse.perf.sso.SignOnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The nodes of a soak are like those of all benchmarks but for what ends soon. */
class LifetimesTest {

  private static final Lifetimes SHORT = new Lifetimes(Duration.ofMinutes(2), Duration.ofMinutes(4), Duration.ofMinutes(3));
  private static final String SUMS = "analytics: {minutes: 1h}";

  @TempDir private Path folder;

  private static IdpConfig idp(GatehouseNode.Configured node) throws IOException, ConfigurationInvalid {
    return new ConfigurationFiles(node.config(), Map.of()).load().realms().getFirst().idp().orElseThrow();
  }

  @Test
  void sessionsAndTokensOfAnAuthorizationServerAreShort() throws IOException, ConfigurationInvalid {
    IdpConfig usual = idp(OAuthServer.configure(folder.resolve("usual"), 389, "", Optional.empty()));
    assertThat(usual.session()).isEqualTo(new SessionTimeouts(Duration.ofHours(8), Duration.ofHours(8)));
    assertThat(usual.oauth().accessTokenLife()).isEqualTo(Duration.ofHours(8));
    assertThat(usual.oauth().refreshTokenLife()).isEqualTo(Duration.ofDays(30));

    IdpConfig idp = idp(OAuthServer.configure(folder.resolve("short"), 389, SUMS, Optional.of(SHORT)));
    assertThat(idp.session()).isEqualTo(new SessionTimeouts(Duration.ofMinutes(2), Duration.ofMinutes(4)));
    assertThat(idp.oauth().accessTokenLife()).isEqualTo(Duration.ofMinutes(3));
    assertThat(idp.oauth().refreshTokenLife()).isEqualTo(Duration.ofMinutes(3));
  }

  @Test
  void sessionsOfAnIdentityProviderAreShort() throws IOException, ConfigurationInvalid {
    IdpConfig usual = idp(SignOnServer.configure(folder, "rsa-2048", 389, "", Optional.empty()));
    assertThat(usual.session()).isEqualTo(new SessionTimeouts(Duration.ofMinutes(30), Duration.ofHours(8)));

    IdpConfig idp = idp(SignOnServer.configure(folder, "p-256", 389, SUMS, Optional.of(SHORT.session())));
    assertThat(idp.session()).isEqualTo(new SessionTimeouts(Duration.ofMinutes(2), Duration.ofMinutes(4)));
  }
}
