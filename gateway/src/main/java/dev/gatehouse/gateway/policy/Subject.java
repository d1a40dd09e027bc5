package dev.gatehouse.gateway.policy;

import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.sp.session.AppSession;

/** The subject of a request. */
public sealed interface Subject {

  /** No one is logged in, or no login was requested. */
  record Anonymous() implements Subject {}

  /** A person with a session. */
  record Person(AppSession session) implements Subject {}

  /** The holder of an access token. */
  record Holder(TokenHolder token) implements Subject {}

  Subject ANONYMOUS = new Anonymous();
}
