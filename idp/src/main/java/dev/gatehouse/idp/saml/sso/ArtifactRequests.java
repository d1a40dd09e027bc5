package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.backchannel.ArtifactResolver;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.ReceivedArtifact;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;

/**
 * Reads AuthnRequests that arrive as artifacts (SAML Profiles 4.1.4.1, Bindings 3.6), by fetching them from their
 * sender.
 */
final class ArtifactRequests {

  /** A person waits, and a partner's server that hangs must not hold a thread for longer. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final SamlReader reader;
  private final ArtifactResolver resolver;
  private final AuthnRequests requests;
  private final KeyRings keys;

  ArtifactRequests(SamlReader reader, ArtifactResolver resolver, AuthnRequests requests, KeyRings keys) {
    this.reader = reader;
    this.resolver = resolver;
    this.requests = requests;
    this.keys = keys;
  }

  AuthnRequests.Outcome read(RealmRequest request) {
    return switch (reader.artifact(request.http())) {
      case Result.Refused(var refusal) -> refused(refusal);
      case Result.Accepted(var artifact) ->
          switch (resolver.authnRequest(artifact, self(request))) {
            case Result.Refused(var refusal) -> refused(refusal);
            case Result.Accepted(var received) -> requests.accept(request, received);
          };
    };
  }

  private ArtifactResolver.As self(RealmRequest request) {
    var ring = keys.of(request.realm());
    return new ArtifactResolver.As(
        request.realm().name(),
        request.entityId(),
        ring.current(KeyUse.IDP_SIGNING),
        () -> ring.decryption(KeyUse.IDP_ENCRYPTION),
        TIMEOUT);
  }

  private static AuthnRequests.Outcome refused(SamlRefusal refusal) {
    return new AuthnRequests.Outcome.Refused("-", refusal);
  }
}
