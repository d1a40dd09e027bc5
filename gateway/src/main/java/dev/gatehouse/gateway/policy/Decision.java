package dev.gatehouse.gateway.policy;

import dev.gatehouse.gateway.filter.HeaderEdits;
import java.util.Set;

/** The gateway's decision on a request. */
public sealed interface Decision {

  /** The request is forwarded to the app, with these edits. */
  record Permit(Subject subject, HeaderEdits edits, Trace trace) implements Decision {}

  /** The person must first log in, or log in again more strongly. */
  record Challenge(AuthnRequirement need, Trace trace) implements Decision {}

  /** The request is refused. */
  record Deny(Set<Reason> reasons, Trace trace) implements Decision {}
}
