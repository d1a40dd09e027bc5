package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Several origins of one realm share an AppSession; each has a token of its own. */
final class OtherOriginTest {

  private final SpWorld world = new SpWorld();
  private final TestBrowser browser = new TestBrowser(world);

  private void loginAtHome() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/"));
    browser.follow(browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty())));
  }

  @Test
  void aLoginThatBeginsElsewhereGoesHomeToTheIdentityProviderAndBackWithATicket() {
    EdgeReply atTheProvider = browser.follow(browser.open(SpWorld.OTHER + "/wiki?page=1"));
    AuthnRequest request = world.authnRequest(atTheProvider);

    EdgeReply landed =
        browser.follow(browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty())));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.OTHER + "/wiki?page=1");
    AppSession home = world.session(browser, SpWorld.HOME).orElseThrow();
    AppSession other = world.session(browser, SpWorld.OTHER).orElseThrow();
    assertThat(other.id()).isEqualTo(home.id());
    assertThat(browser.cookie(SpWorld.OTHER, "__Host-gh_app"))
        .isPresent()
        .isNotEqualTo(browser.cookie(SpWorld.HOME, "__Host-gh_app"));
  }

  @Test
  void withASessionAtHomeNobodyIsAskedAgain() {
    loginAtHome();

    EdgeReply landed = browser.follow(browser.open(SpWorld.OTHER + "/wiki"));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.OTHER + "/wiki");
    assertThat(world.session(browser, SpWorld.OTHER)).isPresent();
    assertThat(world.opened()).isEqualTo(1);
  }

  @Test
  void theAliasEndsWithTheSession() {
    loginAtHome();
    browser.follow(browser.open(SpWorld.OTHER + "/wiki"));
    String other = browser.cookie(SpWorld.OTHER, "__Host-gh_app").orElseThrow();

    browser.open(SpWorld.HOME + "/.gatehouse/logout");

    assertThat(world.session(browser, SpWorld.OTHER)).isEmpty();
    assertThat(world.sessions.peek("demo", new SessionToken(other)))
        .isInstanceOf(AppSessionCache.Peek.None.class);
  }

  @Test
  void aTicketIsForOneBrowser() {
    loginAtHome();
    String ticket = ticketUrl(browser);
    TestBrowser thief = new TestBrowser(world, "198.51.100.66");
    thief.open(SpWorld.OTHER + "/");

    assertThat(thief.open(ticket).status()).isEqualTo(403);
    assertThat(world.session(thief, SpWorld.OTHER)).isEmpty();

    assertThat(browser.open(ticket).status()).as("and waits for its owner").isEqualTo(303);
  }

  @Test
  void aTicketBoundToTheAttackersNonceDoesNotGiveTheVictimsSessionAway() {
    loginAtHome();
    TestBrowser attacker = new TestBrowser(world, "198.51.100.66");
    String lure = SpWorld.location(attacker.open(SpWorld.OTHER + "/wiki")).toString();

    String ticket = SpWorld.location(browser.get(lure, "cross-site")).toString();

    assertThat(ticket).startsWith(SpWorld.OTHER + "/.gatehouse/ticket?ticket=");
    assertThat(browser.open(ticket).status()).as("the victim does not hold the attacker's nonce").isEqualTo(403);
  }

  @Test
  void aTicketCountsOnceAndForAMinute() {
    loginAtHome();
    String used = ticketUrl(browser);
    browser.open(used);
    assertThat(browser.open(used).status()).isEqualTo(403);

    String late = ticketUrl(browser);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(browser.open(late).status()).isEqualTo(403);
  }

  @Test
  void aTicketIsForItsOriginAndNotForHome() {
    loginAtHome();
    String ticket = ticketUrl(browser).replace(SpWorld.OTHER, SpWorld.HOME);

    assertThat(browser.open(ticket).status()).isEqualTo(404);
  }

  @Test
  void homeWithoutANonceLetsTheOtherOriginBringOne() {
    EdgeReply reply = browser.open(SpWorld.HOME + "/.gatehouse/login?return=" + SpWorld.OTHER + "/wiki");

    assertThat(SpWorld.location(reply)).hasToString(SpWorld.OTHER + "/.gatehouse/login?return=%2Fwiki");
    AuthnRequest request = world.authnRequest(browser.follow(reply));
    EdgeReply landed =
        browser.follow(browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty())));
    assertThat(SpWorld.location(landed)).hasToString(SpWorld.OTHER + "/wiki");
  }

  @Test
  void anOriginThatIsNotTheRealmsIsNoTarget() {
    loginAtHome();

    String lure = "/.gatehouse/login?return=https%3A%2F%2Fevil.example%2F&nonce=" + "A".repeat(43);
    EdgeReply reply = browser.open(SpWorld.HOME + lure);

    assertThat(SpWorld.location(reply)).hasToString(SpWorld.HOME + "/");
  }

  private String ticketUrl(TestBrowser of) {
    EdgeReply home = of.open(SpWorld.OTHER + "/wiki");
    EdgeReply ticket = of.open(SpWorld.location(home).toString());
    assertThat(SpWorld.location(ticket).toString()).startsWith(SpWorld.OTHER + "/.gatehouse/ticket?");
    return SpWorld.location(ticket).toString();
  }
}
