package dev.gatehouse.idp.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.ClientAuthentication;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.Method;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which grants are worth a warning. */
class HistoricalGrantsTest {

  @Test
  void thoseThatCurrentPracticeForbids() {
    ClientConfig usual = TestClients.secret("app", Method.SECRET_BASIC);
    assertThat(HistoricalGrants.of(usual)).isEmpty();
    ClientConfig c = TestClients.client("old", ClientAuthentication.NONE, Optional.empty(), usual.requests());
    ClientConfig old =
        new ClientConfig(
            c.clientId(), c.displayName(), c.authentication(),
            Set.of(GrantType.CODE, GrantType.PASSWORD, GrantType.HYBRID, GrantType.IMPLICIT), c.redirectUris(),
            c.scopes(), c.resources(), c.subject(), c.consent(), c.contract(), c.requests(), c.tokens(), c.keys(),
            c.logout(), c.about());
    assertThat(HistoricalGrants.of(old)).containsExactly("hybrid", "implicit", "password");
  }
}
