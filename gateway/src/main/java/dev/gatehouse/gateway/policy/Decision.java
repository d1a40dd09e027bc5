package dev.gatehouse.gateway.policy;

import dev.gatehouse.gateway.filter.HeaderEdits;
import java.util.Set;

/** What the gateway does with a request. */
public sealed interface Decision {

  /** It goes to the app, with these edits. */
  record Permit(Subject subject, HeaderEdits edits, Trace trace) implements Decision {}

  /** The person has to log in, or to log in more strongly, first. */
  record Challenge(AuthnRequirement need, Trace trace) implements Decision {}

  /** It is refused. */
  record Deny(Set<Reason> reasons, Trace trace) implements Decision {}
}
