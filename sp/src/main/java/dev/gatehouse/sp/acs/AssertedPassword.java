package dev.gatehouse.sp.acs;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.message.Assertion;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The login password that one of our own identity providers may put into an assertion. Until the session opens, the
 * password is sealed under the node's key. It is not one of the person's attributes.
 */
public final class AssertedPassword {

  private static final String PURPOSE = "asserted password";

  private final SealingKey sealing;

  public AssertedPassword(SealingKey sealing) {
    this.sealing = sealing;
  }

  /** Returns the sealed password of the assertion; empty if the assertion has none or more than one. */
  Optional<byte[]> sealed(Assertion assertion) {
    var values =
        assertion.attributes().stream()
            .filter(attribute -> attribute.name().equals(AttributeName.LOGIN_PASSWORD))
            .flatMap(attribute -> attribute.values().stream())
            .toList();
    return values.size() == 1
        ? Optional.of(
            sealing.seal(
                values.getFirst().getBytes(StandardCharsets.UTF_8), PURPOSE, assertion.issuer(), assertion.id()))
        : Optional.empty();
  }

  Optional<String> opened(VerifiedAssertion assertion) {
    return assertion
        .sealedPassword()
        .map(sealed -> sealing.open(sealed, PURPOSE, assertion.identityProvider(), assertion.id()))
        .map(plain -> new String(plain, StandardCharsets.UTF_8));
  }
}
