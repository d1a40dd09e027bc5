package dev.gatehouse.idp.agent.server;

import dev.gatehouse.common.http.TlsPolicy;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.idp.agent.server.Outcome.Answered;
import dev.gatehouse.idp.agent.server.Outcome.NotTaken;
import dev.gatehouse.idp.agent.server.Outcome.Unknown;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Requests to servers, each with one deadline, over connections that are kept. */
final class ServerHttp implements AutoCloseable {

  /** More than any answer has. */
  private static final long LARGEST = 4 << 20;

  private static final char[] IN_MEMORY = "memory".toCharArray();

  private final HttpClient http;

  ServerHttp(ServerSettings settings) {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(TlsPolicy.PROTOCOLS.toArray(String[]::new));
    parameters.setCipherSuites(TlsPolicy.CIPHER_SUITES.toArray(String[]::new));
    http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(settings.times().connect())
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .sslContext(tls(settings.key(), settings.authorities()))
            .sslParameters(parameters)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
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

  Outcome get(URI address, Duration longest) {
    return send(HttpRequest.newBuilder(address).GET().build(), longest);
  }

  Outcome post(URI address, Map<String, String> form, Duration longest) {
    String body =
        form.entrySet().stream().map(e -> encoded(e.getKey()) + "=" + encoded(e.getValue())).collect(Collectors.joining("&"));
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return send(request, longest);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The timeout of a request ends with the head of its answer; this one has the body in it. */
  private Outcome send(HttpRequest request, Duration longest) {
    CompletableFuture<HttpResponse<byte[]>> pending = http.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), LARGEST));
    try {
      HttpResponse<byte[]> response = pending.get(longest.toMillis(), TimeUnit.MILLISECONDS);
      return new Answered(
          response.statusCode(), StrictJson.object(response.body()).orElse(Map.of()), response.headers().firstValue("Retry-After"));
    } catch (TimeoutException e) {
      pending.cancel(true);
      return new Unknown("no answer within " + longest.toMillis() + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      pending.cancel(true);
      return new Unknown("interrupted");
    } catch (ExecutionException e) {
      return failed(e.getCause() == null ? e : e.getCause());
    }
  }

  private static Outcome failed(Throwable cause) {
    return switch (cause) {
      case HttpConnectTimeoutException timeout -> new NotTaken("no connection in time");
      case ConnectException refused -> new NotTaken("no connection: " + words(refused));
      // The handshake comes before the request.
      case SSLHandshakeException handshake -> new NotTaken("no TLS: " + words(handshake));
      case Throwable other -> new Unknown("the connection failed: " + words(other));
    };
  }

  private static String words(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    String message = deepest.getMessage();
    return message == null ? deepest.getClass().getSimpleName() : message;
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
