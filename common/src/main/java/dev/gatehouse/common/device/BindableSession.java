package dev.gatehouse.common.device;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import java.util.Optional;

/** What the endpoints of keys need of an open session. */
public record BindableSession(SessionId id, PersonId person, SessionDevice device) {

  /** The sessions of one kind. */
  public interface Sessions {

    /** Returns the open session to which a token belongs. This is no use of the session. */
    Optional<BindableSession> look(String realm, SessionId token);

    /**
     * Changes the binding of a token. Empty if the session has ended, or if {@code from} is no longer its binding: of two keys only the
     * first counts.
     */
    Optional<BindableSession> bind(SessionId session, Optional<DeviceBinding> from, DeviceBinding to);
  }
}
