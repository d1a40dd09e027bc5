package dev.gatehouse.sp;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.sp.login.RouteLogin;
import java.util.Optional;

/** What the gateway calls of the service provider. Blocks: on virtual threads only. */
public interface ServiceProvider {

  /** The prefix of every path that is ours on a protected host. */
  String PREFIX = "/.gatehouse/";

  /** The cookie that holds the AppSession's token, before {@code __Host-}. */
  String COOKIE = "gh_app";

  /**
   * Where a person confirms that a kept POST is to be repeated: the edge calls {@link #takeReplay} for each POST to it,
   * serves the request it gets as if it had come just now, and calls {@link #handle} where it gets none.
   */
  String REPLAY = PREFIX + "replay";

  /** Answers a request whose path begins with {@link #PREFIX}: 404 where no endpoint does. */
  EdgeReply handle(Realm realm, EdgeRequest request);

  /**
   * Answers a request to a protected resource that has no session, or none that meets the route's needs: 303 towards the login for navigations by GET; 409
   * with a page and a link for a POST (kept for replay where the route allows); 401 for anything else, opening nothing.
   *
   * @param route one of the realm's: the login meets its {@link dev.gatehouse.sp.login.LoginRequirements}
   */
  EdgeReply challenge(Realm realm, EdgeRequest request, RouteLogin route, boolean mayReplayPost);

  /**
   * Where the login for a page begins that another proxy serves: for navigations by GET alone, whose answer from us goes to
   * that proxy and could leave no cookie with the browser. Opens nothing.
   *
   * @param request as the browser sent it to the other proxy
   */
  Optional<String> loginAddress(Realm realm, EdgeRequest request, RouteLogin route);

  /**
   * The POST that a person confirms, taken once: {@code confirmation} is the POST to {@link #REPLAY} that the
   * confirming page sends. What comes back has the method, path, query, type and body of the kept request and the
   * cookies of the confirmation, without fields that frame the body, and goes through every rule of the gateway. Empty
   * where there is nothing to repeat for this browser.
   */
  Optional<EdgeRequest> takeReplay(Realm realm, EdgeRequest confirmation);
}
