package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.store.MemoryStores;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** LogoutRequests that come with the browser of a session: the one that they name, or another one of the person. */
final class OwnSessionLogoutTest {

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final CountingStores stores = new CountingStores(new MemoryStores(time));
  private final Idp idp = new Idp(time, stores, SealingKey.inMemory(new SecureRandom()), TestRealms.demo());
  private final TestBrowser browser = idp.browser();
  private final TestBrowser other = idp.browser();
  private int made;

  /** Logs Alice in and signs her on at the wiki, which knows her by the same name in all sessions. */
  private Assertion signOn(TestBrowser at) {
    at.login(at.get("/realms/demo/login"), "alice", "demo");
    return Idp.response(at.get(Idp.redirect(idp.authnRequest(Idp.WIKI)))).assertions().getFirst();
  }

  private static String index(Assertion assertion) {
    return assertion.authnStatement().orElseThrow().sessionIndex().orElseThrow();
  }

  private void logout(TestBrowser at, Assertion subject, List<String> indexes) {
    LogoutRequest request =
        new LogoutRequest(
            "_logout" + ++made, time.instant(), Idp.WIKI, Optional.of(Idp.SLO), Optional.of(time.instant().plusSeconds(60)),
            subject.subject(), indexes);
    String address =
        new CanonicalSamlWriter().redirect(request, Idp.SLO, Optional.empty(), SamlFixtures.spKey()).toString();
    assertThat(at.get(address).status()).isIn(200, 303);
  }

  private boolean isLoggedIn(TestBrowser at) {
    return at.get("/realms/demo/account").status() == 200;
  }

  @Test
  void theSessionOfTheBrowserIsNotSearched() {
    Assertion here = signOn(browser);
    signOn(other);
    int before = stores.searches.size();
    logout(browser, here, List.of(index(here)));
    assertThat(stores.searches).hasSize(before);
    assertThat(isLoggedIn(browser)).isFalse();
    assertThat(isLoggedIn(other)).isTrue();
  }

  @Test
  void aSessionOfAnotherBrowserIsSearched() {
    Assertion here = signOn(browser);
    Assertion elsewhere = signOn(other);
    logout(browser, here, List.of(index(elsewhere)));
    assertThat(stores.searches).contains("idp-sessions");
    assertThat(isLoggedIn(browser)).isTrue();
    assertThat(isLoggedIn(other)).isFalse();
  }

  @Test
  void severalIndexesOrNoneMeanOtherSessionsToo() {
    Assertion here = signOn(browser);
    Assertion elsewhere = signOn(other);
    logout(browser, here, List.of(index(here), index(elsewhere)));
    assertThat(idp.sessions().ofPerson("demo", "alice")).isEmpty();

    Assertion again = signOn(browser);
    signOn(other);
    logout(browser, again, List.of());
    assertThat(idp.sessions().ofPerson("demo", "alice")).isEmpty();
  }
}
