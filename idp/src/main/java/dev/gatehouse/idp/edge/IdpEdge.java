package dev.gatehouse.idp.edge;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.trace.RequestTrace;
import dev.gatehouse.common.trace.Tracing;
import dev.gatehouse.idp.saml.artifact.ArtifactNode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.springframework.web.HttpRequestHandler;

/**
 * Converts a servlet request to an EdgeRequest and writes the EdgeReply. Refuses requests that are ambiguous, that name
 * no host, two hosts, or a host that is not ours (RFC 9110, sections 7.2 and 7.4).
 */
public final class IdpEdge implements HttpRequestHandler {

  private static final byte[] NO_BODY = {};
  private static final String TEXT = "text/plain;charset=utf-8";

  private final Realms realms;
  private final EndpointDispatcher dispatcher;
  private final CertificateEdge certificates;
  private final ForwardedClients proxies;
  private final Tracing tracing;

  public IdpEdge(
      Realms realms, EndpointDispatcher dispatcher, CertificateEdge certificates, TrustedProxies trustedProxies, Tracing tracing) {
    this.realms = realms;
    this.dispatcher = dispatcher;
    this.certificates = certificates;
    this.proxies = new ForwardedClients(trustedProxies);
    this.tracing = tracing;
  }

  @Override
  public void handleRequest(HttpServletRequest servlet, HttpServletResponse response) throws IOException {
    String id = requestId(servlet);
    response.setHeader(RequestId.FIELD, id);
    RequestTrace trace = trace(servlet);
    try {
      write(RequestId.call(id, () -> trace.call(() -> answer(servlet))), servlet.getMethod().equals("HEAD"), response);
    } finally {
      if (trace.isSampled()) {
        trace.span().setAttribute("url.scheme", servlet.getScheme());
        trace.end(dispatcher.template(servlet.getRequestURI()), response.getStatus(), "", id);
      }
    }
  }

  private RequestTrace trace(HttpServletRequest servlet) {
    if (!tracing.isOn()) {
      return RequestTrace.NONE;
    }
    boolean continues = isPeerTrusted(servlet);
    return dispatcher.newTrace(
        tracing,
        servlet.getMethod(),
        continues ? Collections.list(servlet.getHeaders(RequestTrace.PARENT_FIELD)) : List.of(),
        continues ? Collections.list(servlet.getHeaders(RequestTrace.STATE_FIELD)) : List.of());
  }

  private String requestId(HttpServletRequest servlet) {
    List<String> sent = Collections.list(servlet.getHeaders(RequestId.FIELD));
    boolean counts = sent.size() == 1 && RequestId.isUsable(sent.getFirst()) && isPeerTrusted(servlet);
    return counts ? sent.getFirst() : dispatcher.newReference();
  }

  private boolean isPeerTrusted(HttpServletRequest servlet) {
    return proxies.isTrusted(peer(servlet)) && !ProxyProtocol.isAnonymous(servlet);
  }

  private static InetAddress peer(HttpServletRequest servlet) {
    return InetAddress.ofLiteral(withoutBrackets(servlet.getRemoteAddr()));
  }

  private EdgeReply answer(HttpServletRequest servlet) throws IOException {
    String path = servlet.getRequestURI();
    Optional<AddressedOrigin> addressed = Routes.isAmbiguous(path) ? Optional.empty() : addressed(servlet);
    if (addressed.isEmpty()) {
      return EdgeReply.of(400, TEXT, "400 Bad Request\n");
    }
    Optional<ClientCertificates.Asked> asked = ClientCertificates.asked(servlet);
    if (asked.equals(Optional.of(ClientCertificates.Asked.PEOPLE))) {
      EdgeRequest bare = request(servlet, path, addressed.get(), NO_BODY);
      return certificates.answer(bare, ClientCertificates.shown(servlet));
    }
    if (asked.isEmpty() && path.equals(RelatedOrigins.PATH) && servlet.getMethod().equals("GET")) {
      Optional<EdgeReply> document = RelatedOrigins.at(addressed.get().origin().host(), realms.all());
      if (document.isPresent()) {
        return document.get();
      }
    }
    if (asked.isEmpty() ? !isOurs(path, addressed.get()) : !isForClients(path, addressed.get())) {
      return EdgeReply.of(421, TEXT, "421 Misdirected Request\n");
    }
    if (asked.isPresent() && !ClientPaths.isServed(path)) {
      return EdgeReply.of(404, TEXT, "404 Not Found\n");
    }
    return answer(servlet, path, addressed.get());
  }

  private EdgeReply answer(HttpServletRequest servlet, String path, AddressedOrigin addressed) throws IOException {
    // A certificate counts only at a listener that asked for it.
    List<X509Certificate> shown =
        ClientCertificates.asked(servlet).isPresent() ? ClientCertificates.shown(servlet) : List.of();
    EdgeRequest bare = request(servlet, path, addressed, NO_BODY);
    if (!dispatcher.isServed(bare)) {
      EdgeReply reply = dispatcher.handle(bare, shown);
      return hasBody(servlet) ? reply.with("Connection", "close") : reply;
    }
    int most = dispatcher.maxBodyBytes(path);
    Optional<byte[]> body =
        servlet.getContentLengthLong() > most ? Optional.empty() : bounded(servlet, most);
    return body.map(bytes -> dispatcher.handle(bytes.length == 0 ? bare : bare.withBody(bytes), shown))
        .orElseGet(() -> dispatcher.error(bare, 413, "too-large").with("Connection", "close"));
  }

  /** The test for a body of RFC 9112, section 6.3. */
  private static boolean hasBody(HttpServletRequest servlet) {
    return servlet.getContentLengthLong() > 0 || servlet.getHeader("Transfer-Encoding") != null;
  }

  private static Optional<byte[]> bounded(HttpServletRequest servlet, int most) throws IOException {
    if (!hasBody(servlet)) {
      return Optional.of(NO_BODY);
    }
    byte[] body = servlet.getInputStream().readNBytes(most + 1);
    return body.length > most ? Optional.empty() : Optional.of(body);
  }

  /**
   * Decides by the realm that the path names. If the path names none, the host of any realm is accepted, and the
   * request gets a 404.
   */
  private boolean isOurs(String path, AddressedOrigin addressed) {
    Optional<Realm> named = dispatcher.realm(path);
    return named.isPresent()
        ? isOurs(path, addressed, named.get())
        : realms.all().stream().anyMatch(realm -> isOurs(path, addressed, realm));
  }

  private static boolean isOurs(String path, AddressedOrigin addressed, Realm realm) {
    return realm.idp().filter(idp -> addressed.belongsTo(idp) || isArtifact(path) && addressed.isNodeOf(idp)).isPresent();
  }

  private static boolean isArtifact(String path) {
    return Routes.target(path).filter(target -> target.path().equals(ArtifactNode.PATH)).isPresent();
  }

  /**
   * Returns whether the request came to the origin that the realm configures for the listener for OAuth clients'
   * certificates.
   */
  private boolean isForClients(String path, AddressedOrigin addressed) {
    return dispatcher
        .realm(path)
        .flatMap(Realm::idp)
        .flatMap(idp -> idp.oauth().certificateUrl())
        .filter(url -> Origin.of(url).equals(addressed.origin()))
        .isPresent();
  }

  private Optional<AddressedOrigin> addressed(HttpServletRequest servlet) {
    List<String> hosts = Collections.list(servlet.getHeaders("Host"));
    if (hosts.size() != 1) {
      return Optional.empty();
    }
    InetAddress peer = peer(servlet);
    Optional<ForwardedClients.Forwarded> stated =
        isPeerTrusted(servlet)
            ? proxies.of(peer, name -> Collections.list(servlet.getHeaders(name)))
            : Optional.of(new ForwardedClients.Forwarded(peer, Optional.empty(), Optional.empty()));
    String listenerScheme = servlet.isSecure() ? "https" : "http";
    return stated.flatMap(
        forwarded ->
            AddressedOrigin.origin(forwarded.scheme().orElse(listenerScheme), forwarded.authority().orElse(hosts.getFirst()))
                .map(o -> new AddressedOrigin(o, forwarded.client(), servlet.getLocalPort(), listenerScheme)));
  }

  private static EdgeRequest request(HttpServletRequest servlet, String path, AddressedOrigin addressed, byte[] body) {
    List<Headers.Field> fields = new ArrayList<>();
    for (Enumeration<String> names = servlet.getHeaderNames(); names.hasMoreElements(); ) {
      String name = names.nextElement();
      if (!name.equalsIgnoreCase("Host")) {
        servlet.getHeaders(name).asIterator().forEachRemaining(value -> fields.add(new Headers.Field(name, value)));
      }
    }
    if (ProxyProtocol.isBehind(servlet)) {
      // A sign of the balancer for endpoints that trust this machine.
      fields.add(new Headers.Field("Forwarded", "for=unknown"));
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

  private static String withoutBrackets(String address) {
    return address.startsWith("[") ? address.substring(1, address.length() - 1) : address;
  }
}
