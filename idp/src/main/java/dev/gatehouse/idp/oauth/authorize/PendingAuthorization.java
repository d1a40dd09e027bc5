package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.idp.authn.WaitingRoom;
import java.util.Optional;

/** An authorization request that waits. @param browser hash of the BrowserBinding; empty while parked */
record PendingAuthorization(AuthorizationRequest asked, Optional<String> browser) implements WaitingRoom.Waits {
  @Override
  public String realm() {
    return asked.realm();
  }
}
