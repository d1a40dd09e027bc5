package dev.gatehouse.sp;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.login.RouteLogin;
import java.util.Optional;

/** The interface of the service provider to the gateway. Blocks: call it on virtual threads only. */
public interface ServiceProvider {

  /** Answers a request whose path begins with {@link SpPaths#PREFIX}; 404 if there is no endpoint at the path. */
  EdgeReply handle(Realm realm, EdgeRequest request);

  /**
   * Answers a request to a protected resource without a session, or with a session that does not meet the route's
   * requirements: 303 to the login for GET navigations; 409 with a page and a link for a POST (which is saved for
   * replay if the route allows that); 401 for all other requests. Opens nothing.
   *
   * @param route a route of the realm: the login must meet its {@link dev.gatehouse.sp.login.LoginRequirements}
   */
  EdgeReply challenge(Realm realm, EdgeRequest request, RouteLogin route, boolean mayReplayPost);

  /**
   * The address at which the login begins for a page that another proxy serves. Only for GET navigations: our answer
   * goes to that proxy and could not leave a cookie with the browser. Opens nothing.
   *
   * @param request as the browser sent it to the other proxy
   */
  Optional<String> loginAddress(Realm realm, EdgeRequest request, RouteLogin route);

  /**
   * Takes the saved POST that a person confirms, once. {@code confirmation} is the POST to {@link SpPaths#REPLAY} from the
   * confirmation page. The edge calls this for each POST to that path, serves the returned request as if it had just arrived,
   * and calls {@link #handle} if none is returned. The result has the method, path, query, type and body of the saved request and the cookies of
   * the confirmation, without fields that frame the body, and passes all checks of the gateway. Empty if nothing is
   * saved for this browser.
   */
  Optional<EdgeRequest> takeReplay(Realm realm, EdgeRequest confirmation);
}
