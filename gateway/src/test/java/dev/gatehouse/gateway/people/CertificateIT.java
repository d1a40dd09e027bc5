package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.security.cert.CertificateEncodingException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Login by a certificate that the browser shows, on a listener of its own. */
@ExtendWith({WithChromium.class, Journey.class})
class CertificateIT {

  private final World world;
  private final Chromium chromium;

  CertificateIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void aCertificateTakesThePlaceOfThePassword() {
    try (Person bob = holder(world.certificateOf("bob"))) {
      bob.open(world.bank("/account"));
      bob.follow("Use a certificate");
      bob.sees("Your account");
      bob.isAt(world.bank("/account"));
      assertThat(bob.text("bob@example.org")).isVisible();
    }
  }

  @Test
  void withoutOneThePageSaysSo() {
    try (Person bob = new Person(chromium.profile())) {
      bob.open(world.bank("/account"));
      bob.follow("Use a certificate");
      bob.sees("Your browser has shown no certificate");
      bob.open(world.bank("/account"));
      bob.sees("Sign in");
    }
  }

  @Test
  void oneOfAnotherAuthorityIsNobodys() {
    PeopleCa other = PeopleCa.create("CN=People CA,O=Example", Instant.now());
    try (Person mallory = holder(other.issue(PeopleCa.CertificateSpec.of("CN=bob,O=Example")))) {
      mallory.open(world.bank("/account"));
      mallory.follow("Use a certificate");
      mallory.sees("You have not been signed in");
      mallory.open(world.bank("/account"));
      mallory.sees("Sign in");
    }
  }

  private Person holder(PeopleCa.Issued issued) {
    try {
      String certificate = PeopleCa.pem("CERTIFICATE", issued.certificate().getEncoded());
      String key = PeopleCa.pem("PRIVATE KEY", issued.privateKey().getEncoded());
      return new Person(chromium.profileWithCertificate(world.cards(), certificate, key));
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }
}
