package dev.gatehouse.sp.acs;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.AttributeName;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The password of the login that an identity provider of ours may put into an assertion. Until the session opens, it waits
 * sealed under the node's key; it is no attribute of the person's.
 */
public final class AssertedPassword {

  private static final String PURPOSE = "asserted password";

  private final SealingKey sealing;

  public AssertedPassword(SealingKey sealing) {
    this.sealing = sealing;
  }

  /** The assertion's, sealed; empty where it has none, or more than one. */
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
