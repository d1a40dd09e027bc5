package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.idp.authn.WaitingRoom;
import java.util.Optional;

/**
 * A sign-on that waits: for its browser to come back with cookies (parked), or for a login.
 *
 * @param browser hash of the BrowserBinding; empty while parked
 */
public record PendingSignOn(SignOn signOn, Optional<String> browser) implements WaitingRoom.Waits {
  @Override
  public String realm() {
    return signOn.realm();
  }
}
