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

  /** These and those: keys are random, so no two have the same. */
  default WaitingReleases or(WaitingReleases others) {
    WaitingReleases these = this;
    return new WaitingReleases() {
      @Override
      public Optional<WaitingRelease> find(RealmRequest request, String key) {
        return these.find(request, key).or(() -> others.find(request, key));
      }

      @Override
      public EdgeReply deny(RealmRequest request, String key) {
        return these.find(request, key).isPresent() ? these.deny(request, key) : others.deny(request, key);
      }
    };
  }
}
