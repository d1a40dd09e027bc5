package dev.gatehouse.sp.acs;

import dev.gatehouse.common.backchannel.ArtifactResolver;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.ReceivedArtifact;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlReader.PartnerLookup;
import dev.gatehouse.sp.edge.IdentityProviders;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Duration;

/** Reads the Responses that a browser brings, and fetches those that identity providers hold for us. */
final class ResponseReader {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final SamlReader reader;
  private final ArtifactResolver resolver;
  private final PartnerRegistry partners;
  private final KeyRings keyRings;

  ResponseReader(SamlReader reader, ArtifactResolver resolver, PartnerRegistry partners, KeyRings keyRings) {
    this.reader = reader;
    this.resolver = resolver;
    this.partners = partners;
    this.keyRings = keyRings;
  }

  /** The Response in a POST form. Only the keys of the realm's identity providers are tried. */
  Result<ReceivedResponse, SamlRefusal> posted(SpRealm realm, EdgeRequest request) {
    PartnerLookup lookup = issuer -> IdentityProviders.metadata(partners, realm, issuer);
    return reader.response(
        request, lookup.decryptingWith(() -> keyRings.of(realm.realm()).decryption(KeyUse.SP_ENCRYPTION)));
  }

  /**
   * Resolves the artifact in the request (SAML Bindings 3.6.5). The person waits during the call. Accepts only Responses of the
   * realm's identity providers.
   */
  Result<ReceivedResponse, SamlRefusal> resolved(SpRealm realm, EdgeRequest request) {
    return switch (reader.artifact(request)) {
      case Result.Refused(SamlRefusal refusal) -> new Result.Refused<>(refusal);
      case Result.Accepted(ReceivedArtifact artifact) -> fetch(realm, artifact);
    };
  }

  /**
   * Returns whether the identity provider was unreachable or had no (more) Response, which also happens in honest use.
   */
  static boolean mayComeAnotherTime(SamlRefusal refusal) {
    return refusal.reason() == Reason.BACK_CHANNEL_FAILED || refusal.reason() == Reason.ARTIFACT_UNRESOLVED;
  }

  private Result<ReceivedResponse, SamlRefusal> fetch(SpRealm realm, ReceivedArtifact artifact) {
    KeyRing ring = keyRings.of(realm.realm());
    ArtifactResolver.As self =
        new ArtifactResolver.As(
            realm.name(),
            realm.sp().entityId(),
            ring.current(KeyUse.SP_SIGNING),
            () -> ring.decryption(KeyUse.SP_ENCRYPTION),
            TIMEOUT);
    Result<ReceivedResponse, SamlRefusal> reading = resolver.response(artifact, self);
    return reading instanceof Result.Accepted(ReceivedResponse response)
            && !realm.identityProviders().contains(response.response().issuer())
        ? new Result.Refused<>(
            new SamlRefusal(Reason.PARTNER_UNKNOWN, "no identity provider of ours: " + response.response().issuer()))
        : reading;
  }
}
