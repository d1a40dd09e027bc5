package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.idp.authn.IdpSession.Participant;
import java.util.Optional;

/** What a logout has to know of the OpenID Connect clients among the participants of a session. */
@FunctionalInterface
public interface ClientParticipants {

  /**
   * How a client can be told.
   *
   * @param name shown
   * @param frame its page for a frame, with the issuer and sid where it wants to be told these
   * @param back whether it has an endpoint for servers
   */
  record Reach(String name, Optional<String> frame, boolean back) {}

  /** Empty where the client is gone, or never wanted to hear of logouts: then nobody has to be told. */
  Optional<Reach> reach(String realm, Participant client);
}
