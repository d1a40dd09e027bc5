package dev.gatehouse.sp;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import java.util.Optional;

/** What the gateway calls of the service provider. Blocks: on virtual threads only. */
public interface ServiceProvider {

  /** The prefix of every path that is ours on a protected host. */
  String PREFIX = "/.gatehouse/";

  /** The cookie that holds the AppSession's token, before {@code __Host-}. */
  String COOKIE = "gh_app";

  /** Answers a request whose path begins with {@link #PREFIX}: 404 where no endpoint does. */
  EdgeReply handle(Realm realm, EdgeRequest request);

  /**
   * Answers a request to a protected resource that has no session: 303 towards the login for navigations by GET; 409 with
   * a page and a link for a POST (kept for replay where the route allows); 401 for anything else, opening nothing.
   */
  EdgeReply challenge(Realm realm, EdgeRequest request, boolean mayReplayPost);

  /** A POST that is to be repeated: taken once by the gateway for the path it was made for, after the confirming click. */
  Optional<EdgeRequest> takeReplay(Realm realm, EdgeRequest confirmation);
}
