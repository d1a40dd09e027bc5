package dev.gatehouse.idp.edge;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.References;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.refusal.FaultLog;
import dev.gatehouse.common.refusal.Outage;
import dev.gatehouse.common.trace.RequestTrace;
import dev.gatehouse.common.trace.Tracing;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Route;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatches a request to its endpoint. Faults are caught here only, and become a page with a reference ID that the log
 * contains.
 */
public final class EndpointDispatcher {

  private static final Logger LOG = LoggerFactory.getLogger(EndpointDispatcher.class);

  private final Realms realms;
  private final Routes routes;
  private final Pages pages;
  private final RandomGenerator random;
  private final FaultLog faults = new FaultLog(LOG);

  public EndpointDispatcher(Realms realms, Routes routes, Pages pages, RandomGenerator random) {
    this.realms = realms;
    this.routes = routes;
    this.pages = pages;
    this.random = random;
  }

  /** The realm that a path names, if it has an identity provider. */
  Optional<Realm> realm(String path) {
    return Routes.target(path).flatMap(t -> realms.find(t.realm())).filter(r -> r.idp().isPresent());
  }

  /** The largest body that the address accepts, in bytes; 0 if it accepts none or is not ours. */
  int maxBodyBytes(String path) {
    return route(path).map(Route::maxBodyBytes).orElse(0);
  }

  public EdgeReply handle(EdgeRequest http) {
    return handle(http, List.of());
  }

  /** @param certificates of an OAuth client, if the listener asked for them */
  EdgeReply handle(EdgeRequest http, List<X509Certificate> certificates) {
    Optional<Realm> realm = realm(http.path());
    Optional<Route> route = realm.flatMap(r -> route(http.path()));
    if (realm.isEmpty() || route.isEmpty()) {
      return error(http, 404, "not-found");
    }
    if (!takes(route.get(), http)) {
      return error(http, 405, "method-not-allowed").with("Allow", allow(route.get()));
    }
    return answer(
        new RealmRequest(realm.get(), realm.get().idp().orElseThrow(), http, certificates), route.get().endpoint());
  }

  /**
   * Returns whether an endpoint would receive the request; otherwise {@link #handle} answers with the error, whatever
   * the body is.
   */
  boolean isServed(EdgeRequest http) {
    return realm(http.path()).flatMap(r -> route(http.path())).filter(route -> takes(route, http)).isPresent();
  }

  private static boolean takes(Route route, EdgeRequest http) {
    return route.methods().contains(http.isGet() ? "GET" : http.method());
  }

  /** Returns the endpoint's answer, or the error page for its fault. */
  EdgeReply answer(RealmRequest request, Endpoint endpoint) {
    EdgeRequest http = request.http();
    try {
      return endpoint.handle(request);
    } catch (Parameters.Malformed e) {
      return error(http, 400, "bad-request");
    } catch (RuntimeException e) {
      return fault(http, e);
    }
  }

  /** The id of a request that begins. */
  String newReference() {
    return References.create(random);
  }

  /**
   * Begins the trace of a request.
   *
   * @param parents values of {@code traceparent} of a trusted proxy
   * @param states values of {@code tracestate} of a trusted proxy
   */
  RequestTrace newTrace(Tracing tracing, String method, List<String> parents, List<String> states) {
    return tracing.begin(method, parents, states, random);
  }

  /** The address of the route in every realm; empty if the path has none. */
  String template(String path) {
    return route(path).map(route -> "/realms/{realm}/" + route.path()).orElse("");
  }

  /** The page for an error in the request itself. */
  EdgeReply error(EdgeRequest request, int status, String kind) {
    String reference = References.create(random);
    LOG.info("{}: {} {} (reference {})", request, status, kind, reference);
    return pages.error(request, realm(request.path()), status, kind, reference);
  }

  private EdgeReply fault(EdgeRequest request, RuntimeException fault) {
    String reference = References.create(random);
    faults.failed(request + " (reference " + reference + ")", fault);
    Optional<Outage> outage = Outage.of(fault);
    String kind = outage.map(Outage::page).orElse("internal");
    EdgeReply reply = pages.error(request, realm(request.path()), outage.isPresent() ? 503 : 500, kind, reference);
    return outage.isPresent() ? reply.with("Retry-After", Outage.retryAfter()) : reply;
  }

  private Optional<Route> route(String path) {
    return Routes.target(path).flatMap(t -> routes.find(t.path()));
  }

  private static String allow(Route route) {
    return route.methods().stream()
        .flatMap(method -> method.equals("GET") ? Stream.of("GET", "HEAD") : Stream.of(method))
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
