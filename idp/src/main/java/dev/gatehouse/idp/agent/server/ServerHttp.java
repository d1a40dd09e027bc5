package dev.gatehouse.idp.agent.server;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.TlsPolicy;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.idp.agent.server.Outcome.Answered;
import dev.gatehouse.idp.agent.server.Outcome.NotTaken;
import dev.gatehouse.idp.agent.server.Outcome.Unknown;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.entity.UrlEncodedFormEntity;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.message.BasicNameValuePair;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Requests to the servers of a realm, each with one deadline, over connections that are kept. The realm's address says which host a
 * request is for and whose certificate counts; the connection goes to a server.
 */
final class ServerHttp implements AutoCloseable {

  /** More than any answer has. */
  private static final int LARGEST = 4 << 20;

  private static final int MOST_CONNECTIONS = 256;
  private static final char[] IN_MEMORY = "memory".toCharArray();

  /** The field of answers with the realm's epoch. */
  static final String EPOCH = "Gatehouse-Epoch";

  private final URI realm;
  private final RealmEpoch epoch;
  private final CloseableHttpClient http;
  private final ScheduledExecutorService deadlines =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("agent-deadlines").factory());

  ServerHttp(ServerSettings settings, RealmEpoch epoch) {
    this.realm = settings.realm();
    this.epoch = epoch;
    Timeout connect = Timeout.ofMilliseconds(settings.times().connect().toMillis());
    this.http =
        HttpClientBuilder.create()
            .setConnectionManager(
                PoolingHttpClientConnectionManagerBuilder.create()
                    .setTlsSocketStrategy(
                        ClientTlsStrategyBuilder.create()
                            .setSslContext(tls(settings.key(), settings.authorities()))
                            .setTlsVersions(TlsPolicy.PROTOCOLS.toArray(String[]::new))
                            .setCiphers(TlsPolicy.CIPHER_SUITES.toArray(String[]::new))
                            .buildClassic())
                    .setMaxConnPerRoute(MOST_CONNECTIONS)
                    .setMaxConnTotal(MOST_CONNECTIONS * settings.servers().size())
                    .setDefaultConnectionConfig(
                        ConnectionConfig.custom()
                            .setConnectTimeout(connect)
                            .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                            .build())
                    .build())
            // A certificate of the agent's own would otherwise tie each connection to one use.
            .disableConnectionState()
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .setUserAgent("gatehouse-agent")
            .build();
  }

  private static SSLContext tls(AgentKey key, List<X509Certificate> authorities) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(key), trust(authorities), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("TLS cannot be set up", e);
    }
  }

  private static KeyManager[] keys(AgentKey key) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    if (!key.chain().isEmpty()) {
      store.setKeyEntry("agent", key.key(), IN_MEMORY, key.chain().toArray(Certificate[]::new));
    }
    KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, IN_MEMORY);
    return factory.getKeyManagers();
  }

  private static TrustManager[] trust(List<X509Certificate> authorities) throws GeneralSecurityException, IOException {
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    if (authorities.isEmpty()) {
      factory.init((KeyStore) null);
      return factory.getTrustManagers();
    }
    KeyStore anchors = KeyStore.getInstance("PKCS12");
    anchors.load(null, null);
    for (int i = 0; i < authorities.size(); i++) {
      anchors.setCertificateEntry("ca" + i, authorities.get(i));
    }
    factory.init(anchors);
    return factory.getTrustManagers();
  }

  private URI address(String path) {
    String text = realm.toString();
    return URI.create(text + (text.endsWith("/") ? "" : "/") + path);
  }

  /** Sends a GET; once more if the connection broke, which a server may have closed meanwhile. */
  Outcome get(InetSocketAddress server, String path, Duration longest) {
    Outcome first = send(server, new HttpGet(address(path)), longest);
    return first instanceof Unknown(String why, boolean isLate) && !isLate ? send(server, new HttpGet(address(path)), longest) : first;
  }

  Outcome post(InetSocketAddress server, String path, Map<String, String> form, Duration longest) {
    HttpPost request = new HttpPost(address(path));
    request.setHeader("Accept", "application/json");
    List<NameValuePair> fields =
        form.entrySet().stream().<NameValuePair>map(e -> new BasicNameValuePair(e.getKey(), e.getValue())).toList();
    request.setEntity(new UrlEncodedFormEntity(fields, StandardCharsets.UTF_8));
    return send(server, request, longest);
  }

  /** The timeouts of a blocking client begin anew with each byte; the timer ends it when the time is over, whatever it does. */
  private Outcome send(InetSocketAddress server, HttpUriRequestBase request, Duration longest) {
    Future<?> deadline;
    try {
      deadline = deadlines.schedule(request::abort, longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      return new NotTaken("the agent stops");
    }
    try {
      HttpHost target = new HttpHost(realm.getScheme(), resolved(server.getHostString()), realm.getHost(), server.getPort());
      String name = server.getHostString() + ":" + server.getPort();
      return http.execute(target, request, response -> epoch.checked(name, told(response), answered(response)));
    } catch (ConnectTimeoutException e) {
      return new NotTaken("no connection in time");
    } catch (UnknownHostException e) {
      return new NotTaken("its name has no address");
    } catch (ConnectException | NoRouteToHostException e) {
      return new NotTaken("nobody listens there");
    } catch (SSLHandshakeException | SSLPeerUnverifiedException e) {
      // The handshake comes before the request.
      return new NotTaken("no TLS: " + e.getMessage());
    } catch (IOException e) {
      return request.isAborted()
          ? new Unknown("no answer within " + longest.toMillis() + " ms", true)
          : new Unknown("the connection failed: " + e.getMessage(), false);
    } finally {
      deadline.cancel(false);
    }
  }

  private static InetAddress resolved(String host) throws UnknownHostException {
    return Loopback.isBelowLocalhost(host) ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
  }

  private static List<String> told(ClassicHttpResponse response) {
    return Stream.of(response.getHeaders(EPOCH)).map(field -> String.valueOf(field.getValue())).toList();
  }

  private static Answered answered(ClassicHttpResponse response) throws IOException {
    HttpEntity entity = response.getEntity();
    byte[] body = new byte[0];
    if (entity != null) {
      try (InputStream in = entity.getContent()) {
        body = in.readNBytes(LARGEST);
      }
    }
    Optional<String> later = Optional.ofNullable(response.getFirstHeader("Retry-After")).map(field -> field.getValue());
    return new Answered(response.getCode(), StrictJson.object(body).orElse(Map.of()), later);
  }

  @Override
  public void close() {
    deadlines.shutdownNow();
    http.close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
  }
}
