package dev.gatehouse.gateway.policy;

import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.sp.session.AppSession;

/** Who asks. */
public sealed interface Subject {

  /** Nobody is logged in, or nobody was asked who they are. */
  record Anonymous() implements Subject {}

  /** A person with a session. */
  record Person(AppSession session) implements Subject {}

  /** Whoever holds an access token. */
  record Holder(TokenHolder token) implements Subject {}

  Subject ANONYMOUS = new Anonymous();
}
