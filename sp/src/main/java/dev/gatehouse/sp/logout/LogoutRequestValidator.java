package dev.gatehouse.sp.logout;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.sp.check.LogoutDestinationCheck;
import dev.gatehouse.sp.check.LogoutExpiryCheck;
import dev.gatehouse.sp.check.LogoutRequestCheck;
import dev.gatehouse.sp.check.LogoutTimesCheck;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Reads LogoutRequests of identity providers, and applies the rules of the profile (SAML Core 3.7.3.1; Profiles 4.4.3.3). */
final class LogoutRequestValidator {

  /** The rules for a request that a browser brings. */
  static final List<LogoutRequestCheck> BY_BROWSER =
      List.of(new LogoutDestinationCheck(SpConfig::slo), new LogoutTimesCheck(), new LogoutExpiryCheck());

  /** The rules for a request that the identity provider's server sends. */
  static final List<LogoutRequestCheck> BY_SOAP =
      List.of(new LogoutDestinationCheck(SpConfig::soapSlo), new LogoutTimesCheck(), new LogoutExpiryCheck());

  private final SamlReader reader;
  private final PartnerRegistry partners;
  private final KeyRings keyRings;
  private final ReplayCheck replays;
  private final InstantSource time;

  LogoutRequestValidator(
      SamlReader reader, PartnerRegistry partners, KeyRings keyRings, ReplayCheck replays, InstantSource time) {
    this.reader = reader;
    this.partners = partners;
    this.keyRings = keyRings;
    this.replays = replays;
    this.time = time;
  }

  /** Returns the authentic message; the rules have not been applied. */
  Result<Received<LogoutRequest>, SamlRefusal> read(SpRealm realm, EdgeRequest request) {
    return reader.logoutRequest(request, senders(realm));
  }

  private SamlReader.PartnerLookup senders(SpRealm realm) {
    SamlReader.PartnerLookup partner = issuer -> LogoutStart.identityProvider(partners, realm, issuer);
    return partner.decryptingWith(() -> keyRings.of(realm.realm()).decryption(KeyUse.SP_ENCRYPTION));
  }

  /** Applies the rules, and marks the request as used if it fulfils them. */
  Optional<SamlRefusal> refusal(SpRealm realm, LogoutRequest message, List<LogoutRequestCheck> checks) {
    Instant now = time.instant();
    return checks.stream()
        .map(check -> check.check(message, realm.sp(), now))
        .flatMap(Optional::stream)
        .findFirst()
        .or(
            () ->
                replays.mark(
                    realm.name(), message.issuer(), message.id(), LogoutExpiryCheck.acceptableUntil(message)));
  }
}
