package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.provider.OpenIdProviders;
import java.util.Optional;

/**
 * Checks that a token is signed with a key that the provider publishes (OpenID Connect Core 3.1.3.7, rules 6 to 8).
 * Client secrets are not such keys, so a token signed by HMAC is refused, and so is one with {@code none}.
 */
final class Signatures {

  private Signatures() {}

  static Optional<OpenIdRefusal> refusal(OpenIdProviders providers, String issuer, ReceivedJwt token) {
    return switch (providers.signatureOf(issuer, token)) {
      case OF_ISSUER -> Optional.empty();
      case OF_NOBODY_KNOWN ->
          Optional.of(new OpenIdRefusal(Reason.SIGNATURE, "not signed with a key that the provider publishes"));
      case KEYS_UNKNOWN -> Optional.of(new OpenIdRefusal(Reason.PROVIDER_UNAVAILABLE, "its keys are not known"));
    };
  }
}
