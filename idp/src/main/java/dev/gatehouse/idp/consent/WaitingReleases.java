package dev.gatehouse.idp.consent;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;

/** What waits for a person's consent, of whatever protocol. */
public interface WaitingReleases {

  /** Looks without taking; empty where it expired, was answered, is another browser's, or nobody is logged in any more. */
  Optional<WaitingRelease> find(RealmRequest request, String key);

  /** The person does not agree: ends what waits and lets the partner know. The browser has just sent a form of ours. */
  EdgeReply deny(RealmRequest request, String key);
}
