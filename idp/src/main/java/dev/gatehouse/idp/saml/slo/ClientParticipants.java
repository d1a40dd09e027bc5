package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.idp.session.IdpSession.Participant;
import java.util.Optional;

/** Gives a logout the information about the OpenID Connect clients among the participants of a session. */
@FunctionalInterface
public interface ClientParticipants {

  /**
   * The ways to notify a client.
   *
   * @param name the displayed name
   * @param frame its page for a frame, with the issuer and sid if it wants these
   * @param back whether it has an endpoint for notifications from server to server
   */
  record Reach(String name, Optional<String> frame, boolean back) {}

  /** Empty if the client is gone or never asked for logout notifications; then no notification is needed. */
  Optional<Reach> reach(String realm, Participant client);
}
