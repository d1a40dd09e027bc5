package dev.gatehouse.idp.consent;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;

/** What waits for a person's consent, of whatever protocol. */
public interface PendingReleases {

  /** Looks without taking; empty where it expired, was answered, is another browser's, or nobody is logged in any more. */
  Optional<PendingRelease> find(RealmRequest request, String key);

  /** The person does not agree: ends what waits and lets the partner know. The browser has just sent a form of ours. */
  EdgeReply deny(RealmRequest request, String key);

  /** These and those: keys are random, so no two have the same. */
  default PendingReleases or(PendingReleases others) {
    PendingReleases these = this;
    return new PendingReleases() {
      @Override
      public Optional<PendingRelease> find(RealmRequest request, String key) {
        return these.find(request, key).or(() -> others.find(request, key));
      }

      @Override
      public EdgeReply deny(RealmRequest request, String key) {
        return these.find(request, key).isPresent() ? these.deny(request, key) : others.deny(request, key);
      }
    };
  }
}
