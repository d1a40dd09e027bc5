package dev.gatehouse.idp.consent;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;

/** The releases that wait for a person's consent, of any protocol. */
public interface PendingReleases {

  /**
   * Looks without taking; empty if the release expired, was answered, or belongs to another browser, or if nobody is
   * logged in any more.
   */
  Optional<PendingRelease> find(RealmRequest request, String key);

  /**
   * The person refuses: ends the pending release and informs the partner. The browser has just sent one of our forms.
   */
  EdgeReply deny(RealmRequest request, String key);

  /** Combines both collections. Keys are random, so they do not collide. */
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
