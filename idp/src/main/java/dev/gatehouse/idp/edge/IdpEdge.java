package dev.gatehouse.idp.edge;

import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.References;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Route;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.HttpRequestHandler;

/**
 * Turns a servlet request into an EdgeRequest, finds realm and route, and writes the EdgeReply. What is wrong with the
 * request itself is answered here, and faults are caught here, once, with a reference id that the log knows.
 */
public final class IdpEdge implements HttpRequestHandler {

  private static final Logger LOG = LoggerFactory.getLogger(IdpEdge.class);

  private final Realms realms;
  private final Routes routes;
  private final TrustedProxies proxies;
  private final Pages pages;
  private final RandomGenerator random;

  IdpEdge(Realms realms, Routes routes, TrustedProxies proxies, Pages pages, RandomGenerator random) {
    this.realms = realms;
    this.routes = routes;
    this.proxies = proxies;
    this.pages = pages;
    this.random = random;
  }

  @Override
  public void handleRequest(HttpServletRequest servlet, HttpServletResponse response) throws IOException {
    String path = servlet.getRequestURI();
    Optional<Addressed> addressed = Routes.isAmbiguous(path) ? Optional.empty() : addressed(servlet);
    EdgeReply reply =
        addressed.isEmpty()
            ? EdgeReply.of(400, "text/plain;charset=utf-8", "400 Bad Request\n")
            : answer(servlet, path, addressed.get());
    write(reply, servlet.getMethod().equals("HEAD"), response);
  }

  private EdgeReply answer(HttpServletRequest servlet, String path, Addressed addressed) throws IOException {
    Optional<Routes.Target> target = Routes.target(path);
    Optional<Realm> realm =
        target.flatMap(t -> realms.find(t.realm())).filter(r -> r.idp().isPresent());
    boolean ours =
        realm.stream().anyMatch(r -> addressed.belongsTo(r.idp().orElseThrow()))
            || realm.isEmpty()
                && realms.all().stream().anyMatch(r -> r.idp().filter(addressed::belongsTo).isPresent());
    if (!ours) {
      return EdgeReply.of(421, "text/plain;charset=utf-8", "421 Misdirected Request\n");
    }
    EdgeRequest bare = request(servlet, path, addressed, new byte[0]);
    Optional<Route> route = realm.flatMap(r -> target).flatMap(t -> routes.find(t.path()));
    if (realm.isEmpty() || route.isEmpty()) {
      return error(bare, realm, 404, "not-found");
    }
    if (!route.get().methods().contains(bare.isGet() ? "GET" : bare.method())) {
      return error(bare, realm, 405, "method-not-allowed").with("Allow", allow(route.get()));
    }
    byte[] body = new byte[0];
    if (!bare.isGet()) {
      int most = route.get().mostBodyBytes();
      body = servlet.getContentLengthLong() > most ? new byte[most + 1] : servlet.getInputStream().readNBytes(most + 1);
      if (body.length > most) {
        return error(bare, realm, 413, "too-large").with("Connection", "close");
      }
    }
    RealmRequest request =
        new RealmRequest(realm.get(), realm.get().idp().orElseThrow(), request(servlet, path, addressed, body));
    return call(route.get(), request);
  }

  private EdgeReply call(Route route, RealmRequest request) {
    try {
      return route.endpoint().handle(request);
    } catch (Parameters.Malformed e) {
      return error(request.http(), Optional.of(request.realm()), 400, "bad-request");
    } catch (DirectoryUnavailable e) {
      return fault(request, 503, "directory-unavailable", e).with("Retry-After", "10");
    } catch (AuditUnavailable e) {
      return fault(request, 503, "audit-unavailable", e).with("Retry-After", "10");
    } catch (StoreUnavailable e) {
      return fault(request, 503, "internal", e).with("Retry-After", "10");
    } catch (RuntimeException e) {
      return fault(request, 500, "internal", e);
    }
  }

  private EdgeReply fault(RealmRequest request, int status, String kind, RuntimeException fault) {
    String reference = References.create(random);
    if (fault instanceof DirectoryUnavailable) {
      LOG.warn("{}: directory unavailable: {} (reference {})", request.http(), fault.getMessage(), reference);
    } else {
      LOG.error("{} failed (reference {})", request.http(), reference, fault);
    }
    return pages.error(request.http(), Optional.of(request.realm()), status, kind, reference);
  }

  private EdgeReply error(EdgeRequest request, Optional<Realm> realm, int status, String kind) {
    String reference = References.create(random);
    LOG.info("{}: {} {} (reference {})", request, status, kind, reference);
    return pages.error(request, realm, status, kind, reference);
  }

  private Optional<Addressed> addressed(HttpServletRequest servlet) {
    Optional<String> host = Addressed.single(Collections.list(servlet.getHeaders("Host")));
    if (host.isEmpty()) {
      return Optional.empty();
    }
    InetAddress peer = InetAddress.ofLiteral(withoutBrackets(servlet.getRemoteAddr()));
    TrustedProxies.Forwarded forwarded = proxies.of(peer, name -> Collections.list(servlet.getHeaders(name)));
    String listenerScheme = servlet.isSecure() ? "https" : "http";
    Optional<Origin> origin =
        Addressed.origin(forwarded.scheme().orElse(listenerScheme), forwarded.authority().orElse(host.get()));
    return origin.map(o -> new Addressed(o, forwarded.client(), servlet.getLocalPort(), listenerScheme));
  }

  private static EdgeRequest request(HttpServletRequest servlet, String path, Addressed addressed, byte[] body) {
    List<Headers.Field> fields = new ArrayList<>();
    for (String name : Collections.list(servlet.getHeaderNames())) {
      if (!name.equalsIgnoreCase("Host")) {
        Collections.list(servlet.getHeaders(name)).forEach(value -> fields.add(new Headers.Field(name, value)));
      }
    }
    String query = servlet.getQueryString();
    return new EdgeRequest(
        servlet.getMethod(),
        addressed.origin(),
        path,
        query == null ? "" : query,
        Headers.of(fields),
        body,
        addressed.client());
  }

  private static void write(EdgeReply reply, boolean head, HttpServletResponse response) throws IOException {
    response.setStatus(reply.status());
    for (Headers.Field field : reply.headers().fields()) {
      response.addHeader(field.name(), field.value());
    }
    if (reply.headers().first("Cache-Control").isEmpty()) {
      response.addHeader("Cache-Control", "no-store");
    }
    response.setContentLength(reply.body().length);
    if (!head) {
      response.getOutputStream().write(reply.body());
    }
  }

  private static String allow(Route route) {
    return route.methods().stream()
        .flatMap(method -> method.equals("GET") ? java.util.stream.Stream.of("GET", "HEAD") : java.util.stream.Stream.of(method))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static String withoutBrackets(String address) {
    return address.startsWith("[") ? address.substring(1, address.length() - 1) : address;
  }
}
