package dev.gatehouse.idp.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.ClientAuthentication;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The grants that cause a warning. */
class HistoricalGrantsTest {

  private static ClientConfig client(String id, GrantType... grants) {
    ClientConfig usual = TestClients.secret(id, Method.SECRET_BASIC);
    ClientConfig c = TestClients.client(id, ClientAuthentication.NONE, Optional.empty(), usual.requests());
    return new ClientConfig(
        c.clientId(), c.displayName(), c.authentication(),
        new ClientConfig.Permissions(Set.of(grants), c.permissions().redirectUris(), c.permissions().scopes(), c.permissions().resources()),
        new ClientConfig.Login(c.login().subject(), c.login().consent(), c.login().contract()), c.requests(), c.tokens(), c.keys(), c.logout(),
        c.about());
  }

  @Test
  void thoseThatCurrentPracticeForbids() {
    assertThat(HistoricalGrants.of(TestClients.secret("app", Method.SECRET_BASIC))).isEmpty();
    assertThat(HistoricalGrants.of(client("old", GrantType.CODE, GrantType.PASSWORD, GrantType.HYBRID, GrantType.IMPLICIT)))
        .containsExactly("hybrid", "implicit", "password");
  }

  /** Each change of the configuration passes all clients again. */
  @Test
  void aClientIsWarnedOfOnceAndAgainWhenItMayUseOthers() {
    Realm realm = TestRealms.demo();
    HistoricalGrants grants = new HistoricalGrants();
    ClientConfig old = client("old", GrantType.CODE, GrantType.PASSWORD);
    ClientConfig other = client("other", GrantType.IMPLICIT);

    assertThat(grants.warning(realm, old))
        .hasValueSatisfying(text -> assertThat(text).startsWith("Realm demo: the client old may use password, which"));
    assertThat(grants.warning(realm, other)).isPresent();
    for (int i = 0; i < 3; i++) {
      assertThat(grants.warning(realm, old)).isEmpty();
      assertThat(grants.warning(realm, other)).isEmpty();
      assertThat(grants.warning(realm, client("new", GrantType.CODE))).isEmpty();
    }
    assertThat(grants.warning(realm, client("old", GrantType.CODE, GrantType.PASSWORD, GrantType.HYBRID))).isPresent();
    assertThat(grants.warning(realm, client("old", GrantType.CODE))).isEmpty();
    assertThat(grants.warning(realm, old)).as("turned on again").isPresent();
  }
}
