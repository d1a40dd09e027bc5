package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.store.MemoryStores;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two sign-ons of one session at the same partner and at the same time: neither knows of the other one when it begins. */
final class ParallelSignOnTest {

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final MeanwhileStores stores = new MeanwhileStores(new MemoryStores(time));
  private final Idp idp = new Idp(time, stores, SealingKey.inMemory(new SecureRandom()), TestRealms.demo());
  private final TestBrowser browser = idp.browser();
  private int made;

  private void logIn() {
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
  }

  private Assertion signOn() {
    return Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.WIKI)))).assertions().getFirst();
  }

  /** The two assertions, in the order in which they were issued. */
  private List<Assertion> signOnTwiceAtTheSameTime() {
    List<Assertion> both = new ArrayList<>();
    stores.beforeNextChange(() -> both.add(signOn()));
    both.add(signOn());
    assertThat(both).hasSize(2);
    return both;
  }

  private static String index(Assertion assertion) {
    return assertion.authnStatement().orElseThrow().sessionIndex().orElseThrow();
  }

  private void logOutAtTheWiki(Assertion known) {
    LogoutRequest request =
        new LogoutRequest(
            "_logout" + ++made, time.instant(), Idp.WIKI, Optional.of(Idp.SLO), Optional.of(time.instant().plusSeconds(60)),
            known.subject(), List.of(index(known)));
    String address =
        new CanonicalSamlWriter().redirect(request, Idp.SLO, Optional.empty(), SamlFixtures.spKey()).toString();
    assertThat(browser.get(address).status()).isIn(200, 303);
  }

  /** SAML Core 3.7.3.2. */
  @ParameterizedTest
  @EnumSource(NameIdFormat.class)
  void aLogoutByTheSessionIndexOfEitherEndsTheSession(NameIdFormat format) {
    idp.partners.put(Idp.config(Idp.WIKI, format), Idp.metadata(Idp.WIKI, true));
    for (int which : List.of(0, 1)) {
      logIn();
      logOutAtTheWiki(signOnTwiceAtTheSameTime().get(which));
      assertThat(idp.sessions().ofPerson("demo", "alice")).as("by that of assertion " + which).isEmpty();
    }
  }

  @Test
  void sessionIndexesOfOneNameAreTheSame() {
    logIn();
    List<Assertion> all = signOnTwiceAtTheSameTime();
    all.add(signOn());
    assertThat(all.stream().map(Assertion::subject).distinct().toList()).as("a persistent name").hasSize(1);
    assertThat(all.stream().map(ParallelSignOnTest::index).distinct().toList()).hasSize(1);
  }

  @Test
  void transientNamesAreTwoAndALaterSignOnGetsTheFirst() {
    idp.partners.put(Idp.config(Idp.WIKI, NameIdFormat.TRANSIENT), Idp.metadata(Idp.WIKI, true));
    logIn();
    List<Assertion> both = signOnTwiceAtTheSameTime();
    Assertion later = signOn();
    assertThat(both.getLast().subject()).isNotEqualTo(both.getFirst().subject());
    assertThat(index(both.getLast())).isNotEqualTo(index(both.getFirst()));
    assertThat(later.subject()).isEqualTo(both.getFirst().subject());
    assertThat(index(later)).isEqualTo(index(both.getFirst()));
  }

  @Test
  void thePartnerIsToldTheSessionIndexThatItGot() {
    idp.partners.withLogout(
        Idp.WIKI, Logout.SOAP, new Endpoint(Binding.SOAP, Idp.WIKI_SLO + "/soap", Optional.empty()));
    logIn();
    List<Assertion> both = signOnTwiceAtTheSameTime();
    String csrf = TestBrowser.field(browser.get("/realms/demo/logout").text(), "csrf");
    browser.post("/realms/demo/logout", Map.of("csrf", csrf));
    assertThat(idp.backChannel.sent)
        .singleElement()
        .satisfies(notice -> assertThat(notice.sessionIndexes()).contains(index(both.getFirst()), index(both.getLast())));
  }
}
