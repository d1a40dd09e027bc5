package dev.gatehouse.sp.provider;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.gatehouse.common.LogLines;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.sp.TestProvider;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A running node warns of providers whose codes another one could obtain (RFC 9700, section 4.4). */
class MixUpWarningTest {

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  @AutoClose private final TestProvider silent = new TestProvider(time);
  @AutoClose private final TestProvider naming = new TestProvider(time);
  @AutoClose private final OutboundHttp http = new OutboundHttp(OutboundHttp.Limits.USUAL);
  @AutoClose private final LogLines lines = LogLines.of(FollowedProvider.class);

  @BeforeEach
  void oneNamesItself() {
    naming.metadata(metadata -> metadata.setSupportsAuthorizationResponseIssuerParam(true));
  }

  @Test
  void ofTwoWithOneRedirectUriTheOneThatDoesNotNameItselfIsInDanger() {
    assertThat(warnings(silent.config(), naming.config()))
        .singleElement()
        .asString()
        .contains("OpenID provider " + silent.issuer() + " has the redirect URI of other providers", "RFC 9207", "give it an alias");
  }

  @Test
  void withARedirectUriOfItsOwnItIsInNone() {
    assertThat(warnings(silent.config("silent"), naming.config())).isEmpty();
  }

  @Test
  void asTheOnlyOneWithoutAliasItIsInNone() {
    assertThat(warnings(silent.config(), naming.config("naming"))).isEmpty();
  }

  private List<String> warnings(ProviderConfig first, ProviderConfig second) {
    Realm realm =
        TestRealms.change(TestRealms.demo()).providers(first, second).identityProviders(first.issuer(), second.issuer()).realm();
    try (OpenIdProviders providers = new OpenIdProviders(new FixedRealms(realm), http, time, new Random(1), new CountDownLatch(0))) {
      silent.awaitKnown(providers);
      naming.awaitKnown(providers);
    }
    return lines.at(Level.WARN).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
