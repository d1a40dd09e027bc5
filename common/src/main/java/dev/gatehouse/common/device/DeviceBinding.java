package dev.gatehouse.common.device;

import dev.gatehouse.common.session.SessionId;
import java.time.Instant;
import java.util.Optional;

/**
 * The key of the browser that holds one of a session's tokens. Keys belong to origins, and so do tokens.
 *
 * @param token the id of the token
 * @param since the time of the state
 */
public record DeviceBinding(SessionId token, Instant since, State state) {

  /** The state of a binding. It becomes {@link Bound} once and stays so. */
  public sealed interface State {
    /** The browser has not shown a key yet. */
    record Unbound() implements State {}

    /** The browser runs no script and has no key of its own: only its fingerprint counts. */
    record Keyless() implements State {}

    /**
     * The browser showed this key.
     *
     * @param jwk the public key, as JSON
     * @param thumbprint of the key (RFC 7638)
     */
    record Bound(Kind kind, String jwk, String thumbprint) implements State {}
  }

  /** The way in which a browser keeps its key. */
  public enum Kind {
    /** Device Bound Session Credentials: the browser itself keeps and uses the key. */
    DBSC,
    /** A key that no script can export, used by a page of ours. */
    WEB_CRYPTO
  }

  /** Creates the binding of a new token. */
  public static DeviceBinding begin(SessionId token, Instant now) {
    return new DeviceBinding(token, now, new State.Unbound());
  }

  /** Returns the key that the browser showed. */
  public Optional<State.Bound> key() {
    return state instanceof State.Bound bound ? Optional.of(bound) : Optional.empty();
  }

  public boolean isBound() {
    return state instanceof State.Bound;
  }
}
