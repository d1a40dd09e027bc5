package dev.gatehouse.idp.edge;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.http.ListenerConnections;
import dev.gatehouse.common.http.TlsPolicy;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.proxy.ProxyRefusals;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.idp.edge.ClientCertificates.Asked;
import dev.gatehouse.idp.endpoint.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.springframework.boot.jetty.JettyServerCustomizer;

/** The identity provider's sockets, as configured for the node; port 0 chooses a free port. */
public final class IdpListeners implements JettyServerCustomizer {

  /**
   * Large, because the Redirect binding carries its message in the request line, and cookies of other ports of this
   * host are sent along.
   */
  private static final int HEADER_BYTES = 32 * 1024;

  /**
   * As at the gateway: longer than proxies keep connections that they do not use, 60 seconds where nginx or a cloud's balancer is not told
   * otherwise. The other way round a POST could be on its way while the connection ends, and nobody may repeat it.
   */
  private static final long IDLE_MILLIS = 75_000;

  private static final Duration PLACE_TIME = Duration.ofSeconds(5);

  /** Enough for the largest message by 9 KB a second. */
  private static final Duration BODY_TIME = Duration.ofSeconds(60);

  private static final long LEAST_REQUESTS = 200;
  private static final long MOST_REQUESTS = 20_000;

  private final List<Node.Listener> configured;
  private final Optional<Node.Listener> certificateLogin;
  private final Optional<Node.Listener> clientCertificates;
  private final Realms realms;
  private final TrustedProxies proxies;
  private final ProxyRefusals refusals;
  private final List<ServerConnector> connectors = new ArrayList<>();
  private final BoundedListeners bounded = new BoundedListeners("idp", ListenerConnections.ofThisProcess().idp());

  /** @param realms the realms whose authorities are named where people are asked for certificates */
  public IdpListeners(Node.Listeners listeners, Realms realms, TrustedProxies proxies, ProxyRefusals refusals) {
    this.proxies = proxies;
    this.refusals = refusals;
    this.configured = listeners.idp();
    this.certificateLogin = listeners.certificateLogin();
    this.clientCertificates = listeners.clientCertificates();
    this.realms = realms;
  }

  @Override
  public void customize(Server server) {
    connectors.clear();
    configured.forEach(listener -> connectors.add(connector(server, listener)));
    certificateLogin.ifPresent(listener -> connectors.add(asking(server, listener, Asked.PEOPLE)));
    clientCertificates.ifPresent(listener -> connectors.add(asking(server, listener, Asked.CLIENTS)));
    server.setConnectors(connectors.toArray(Connector[]::new));
    PlainErrorHandler errors = new PlainErrorHandler();
    server.setErrorHandler(errors);
    // The context's own handler would show the stack trace of an Error.
    server.getDescendants(ContextHandler.class).forEach(context -> context.setErrorHandler(errors));
    server.setHandler(new BoundedRequests(requestsAtATime(), PLACE_TIME, BODY_TIME, server.getHandler()));
    bounded.customize(server);
    connectors.clear();
    connectors.addAll(bounded.connectors());
  }

  /**
   * The ports in the order of the configuration, then those of certificateLogin and clientCertificates. Available while
   * the server runs; -1 before and after.
   */
  public List<Integer> ports() {
    return connectors.stream().map(ServerConnector::getLocalPort).toList();
  }

  /** Begins or stops to tell clients that their connections end; new ones are still served. */
  public void announceEnd(boolean wanted) {
    bounded.announceEnd(wanted);
  }

  /** Closes the sockets, and waits until the running requests have ended, but no longer than that. */
  public void drain(Duration grace) {
    bounded.drain(grace);
  }

  /** Returns whether all sockets are open. */
  public boolean isListening() {
    return connectors.stream().allMatch(connector -> connector.isRunning() && connector.isOpen());
  }

  /** So many that their bodies, if all have the largest one and are joined at one moment, take half of the heap. */
  private static int requestsAtATime() {
    long bodies = Runtime.getRuntime().maxMemory() / 4 / Route.MESSAGE_BYTES;
    return (int) Math.clamp(bodies, LEAST_REQUESTS, MOST_REQUESTS);
  }

  private ServerConnector connector(Server server, Node.Listener listener) {
    HttpConfiguration http = http(listener);
    return listener
        .tls()
        .map(tls -> secure(server, listener, tls, new SslContextFactory.Server(), http))
        .orElseGet(() -> placed(server, listener, new HttpConnectionFactory(http)));
  }

  private ServerConnector asking(Server server, Node.Listener listener, Asked asked) {
    HttpConfiguration http = http(listener);
    ClientCertificates.mark(http, asked);
    Node.Tls tls =
        listener.tls().orElseThrow(() -> new IllegalStateException("the configuration loader refuses such a listener without TLS"));
    return secure(server, listener, tls, ClientCertificates.context(realms, asked), http);
  }

  private HttpConfiguration http(Node.Listener listener) {
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(HEADER_BYTES);
    // Jetty would cache the fields of each connection. Cookies and credentials differ from request to request; they would fill that cache
    // and clear it each time.
    http.setHeaderCacheSize(0);
    http.setSendServerVersion(false);
    http.setSendDateHeader(true);
    if (listener.proxyProtocol()) {
      ProxyProtocol.mark(http);
    }
    return http;
  }

  private ServerConnector secure(
      Server server, Node.Listener listener, Node.Tls tls, SslContextFactory.Server context, HttpConfiguration http) {
    // The edge checks the Host field more strictly than Jetty, which would answer 400 where 421 is correct.
    http.addCustomizer(new SecureRequestCustomizer(false));
    context.setKeyStore(keyStore(tls));
    context.setKeyStorePassword("");
    context.setIncludeProtocols(TlsPolicy.PROTOCOLS.toArray(String[]::new));
    context.setIncludeCipherSuites(TlsPolicy.CIPHER_SUITES.toArray(String[]::new));
    return placed(server, listener, new SslConnectionFactory(context, "http/1.1"), new HttpConnectionFactory(http));
  }

  /** @param factories the layers of a connection, without the PROXY protocol */
  private ServerConnector placed(Server server, Node.Listener listener, ConnectionFactory... factories) {
    List<ConnectionFactory> layers = new ArrayList<>(List.of(factories));
    if (listener.proxyProtocol()) {
      layers.addFirst(new ProxyProtocol(proxies, refusals, layers.getFirst().getProtocol()));
    }
    ServerConnector connector = new ServerConnector(server, layers.toArray(ConnectionFactory[]::new));
    connector.setHost(listener.address().getHostString());
    connector.setPort(listener.address().getPort());
    connector.setIdleTimeout(IDLE_MILLIS);
    return connector;
  }

  private static KeyStore keyStore(Node.Tls tls) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      X509Certificate[] chain =
          Pem.certificates(Files.readAllBytes(tls.certificate())).toArray(X509Certificate[]::new);
      store.setKeyEntry("listener", Pem.privateKey(Files.readAllBytes(tls.privateKey())), new char[0], chain);
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(
          "cannot use " + tls.certificate() + " and " + tls.privateKey() + " for TLS: " + e.getMessage(), e);
    }
  }
}
