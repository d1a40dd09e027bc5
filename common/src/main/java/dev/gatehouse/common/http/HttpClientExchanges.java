package dev.gatehouse.common.http;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.OutboundHttp.DatedAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.io.Closer;
import org.apache.hc.core5.net.URIAuthority;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Apache HttpClient with the bounds of every outbound request: an {@link AddressPolicy}, a limit of connections to each
 * destination and in total, a bounded response and one deadline for the whole exchange. The timeouts of a blocking client
 * start anew with each byte, so a server that sends a byte now and then would never reach them. Here a timer closes the
 * connection when the time is over, whatever the exchange is doing.
 */
final class HttpClientExchanges implements AutoCloseable {

  /** Short, because servers close idle connections when they like; a POST must not meet that, since it is not repeated. */
  private static final TimeValue KEEP_ALIVE = TimeValue.ofSeconds(2);

  /** The largest buffer allocated from Content-Length alone; larger bodies grow as their bytes arrive. */
  private static final int MAX_PREALLOCATED = 64 << 10;

  private static final Http1Config HEADS =
      Http1Config.custom().setMaxLineLength(16 << 10).setMaxHeaderCount(100).build();

  /**
   * Limits of simultaneous connections. A request beyond them waits within its deadline.
   *
   * @param perDestination to one scheme, host and port
   * @param perOwner to all hosts of one {@linkplain RegistrableDomain owner}
   */
  record MaxConnections(int perDestination, int perOwner, int total) {
    /** Creates limits with half of the total for one owner. */
    MaxConnections(int perDestination, int total) {
      this(perDestination, Math.max(perDestination, total / 2), total);
    }
  }

  private final AddressResolver resolver;
  private final OutboundPermits permits;
  private final CloseableHttpClient client;
  private final Deadlines deadlines = new Deadlines("gatehouse-outbound-deadlines");

  HttpClientExchanges(AddressResolver resolver, MaxConnections maxConnections, Duration connect, SSLContext tls) {
    this.resolver = resolver;
    this.permits = new OutboundPermits(maxConnections);
    this.client =
        HttpClientBuilder.create()
            .setConnectionManager(connections(resolver, maxConnections, connect, tls))
            .setConnectionReuseStrategy(HttpClientExchanges::isReusable)
            .setKeepAliveStrategy((response, context) -> KEEP_ALIVE)
            .disableAutomaticRetries()
            .evictIdleConnections(KEEP_ALIVE)
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .disableConnectionState()
            .setUserAgent("gatehouse")
            .build();
  }

  private static PoolingHttpClientConnectionManager connections(
      AddressResolver resolver, MaxConnections maxConnections, Duration connect, SSLContext tls) {
    AtomicLong number = new AtomicLong();
    return new Connections()
        .setDnsResolver(resolver)
        .setTlsSocketStrategy((socket, host, port, attachment, context) -> secured(tls, socket, host, port))
        .setConnectionFactory(socket -> new OutboundConnection("outbound-" + number.incrementAndGet(), HEADS))
        .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.STRICT)
        .setConnPoolPolicy(PoolReusePolicy.LIFO)
        .setMaxConnPerRoute(maxConnections.perDestination())
        .setMaxConnTotal(maxConnections.total())
        .setOffLockDisposalEnabled(true)
        .setDefaultSocketConfig(SocketConfig.custom().setSoTimeout(Timeout.DISABLED).setTcpNoDelay(true).build())
        .setDefaultConnectionConfig(
            ConnectionConfig.custom()
                .setConnectTimeout(Timeout.of(connect))
                .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                .build())
        .build();
  }

  /** Uses the sockets of channels: only they tell without waiting whether a server has closed. */
  private static final class Connections extends PoolingHttpClientConnectionManagerBuilder {
    @Override
    protected HttpClientConnectionOperator createConnectionOperator(
        SchemePortResolver ports, DnsResolver resolver, TlsSocketStrategy tls) {
      return new DefaultHttpClientConnectionOperator(
          proxy -> SocketChannel.open().socket(),
          ports,
          resolver,
          RegistryBuilder.<TlsSocketStrategy>create().register(URIScheme.HTTPS.id, tls).build());
    }
  }

  private static SSLSocket secured(SSLContext tls, Socket socket, String host, int port) throws IOException {
    CurrentExchange.CURRENT.get().enter(CurrentExchange.Phase.TLS);
    SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(socket, host, port, true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  /** A response with two lengths is not reusable: two readers may see two ends (RFC 9112, section 6.3). */
  private static boolean isReusable(HttpRequest request, HttpResponse response, HttpContext context) {
    boolean oneLength =
        !(response.containsHeader(HttpHeaders.TRANSFER_ENCODING) && response.containsHeader(HttpHeaders.CONTENT_LENGTH));
    return oneLength && DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, response, context);
  }

  Answer exchange(OutboundRequest outgoing) {
    return exchange(outgoing, ended -> {});
  }

  /** As {@link #exchange(OutboundRequest)}, with the time that the server says. */
  DatedAnswer dated(OutboundRequest outgoing) {
    AtomicReference<Optional<Instant>> serverTime = new AtomicReference<>(Optional.empty());
    Answer answer = exchange(outgoing, ended -> serverTime.set(ended.date()));
    return new DatedAnswer(answer, Objects.requireNonNull(serverTime.get()));
  }

  private Answer exchange(OutboundRequest outgoing, Consumer<CurrentExchange> end) {
    try {
      if (outgoing.url().getRawUserInfo() != null) {
        return new Answer.Failed(Cause.ADDRESS_INVALID, "the address has a user name");
      }
      CurrentExchange exchange = new CurrentExchange(Origin.of(outgoing.url()), outgoing);
      Answer answer = ScopedValue.where(CurrentExchange.CURRENT, exchange).call(() -> withRepetition(exchange));
      end.accept(exchange);
      return answer;
    } catch (IllegalArgumentException e) {
      return new Answer.Failed(Cause.ADDRESS_INVALID, "not an http or https address");
    }
  }

  /**
   * Repeats a GET once if the server closed without sending a byte of a response: it may have closed an idle connection. A
   * POST is not repeated, because the server may have processed it nevertheless (RFC 9110, section 9.2.2).
   */
  private Answer withRepetition(CurrentExchange exchange) {
    boolean mayRepeat = exchange.outgoing().body().isEmpty();
    try {
      return attempt(exchange);
    } catch (NoHttpResponseException e) {
      if (!mayRepeat) {
        return FailedExchange.answer(e, exchange);
      }
    } catch (IOException e) {
      return FailedExchange.answer(e, exchange);
    }
    try {
      return attempt(exchange);
    } catch (IOException e) {
      return FailedExchange.answer(e, exchange);
    }
  }

  private Answer attempt(CurrentExchange exchange) throws IOException {
    HttpUriRequestBase request = request(exchange.outgoing(), exchange.origin());
    Deadlines.Entry end = deadlines.add(exchange.outgoing().deadline(), request::cancel);
    try {
      return withPermit(request, exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IllegalStateException e) {
      // The timer cancelled the request just before its connection was opened, or the node is stopping.
      throw new IOException("the request was ended before its answer", e);
    } finally {
      deadlines.remove(end);
    }
  }

  private Answer withPermit(HttpUriRequestBase request, CurrentExchange exchange) throws IOException, InterruptedException {
    Optional<OutboundPermits.Permit> taken = permits.take(exchange);
    if (taken.isEmpty()) {
      return new Answer.Failed(Cause.TIMEOUT, exchange.tooLate());
    }
    try (OutboundPermits.Permit unused = taken.get()) {
      return answer(request, exchange);
    }
  }

  private static HttpUriRequestBase request(OutboundRequest outgoing, Origin origin) {
    HttpUriRequestBase request = new HttpUriRequestBase(outgoing.method(), outgoing.url());
    boolean usual = origin.authority().equals(origin.host());
    request.setAuthority(new URIAuthority(bare(origin.host()), usual ? -1 : origin.port()));
    outgoing.headers().fields().forEach(field -> request.addHeader(field.name(), field.value()));
    outgoing.body().ifPresent(body -> request.setEntity(new ByteArrayEntity(body, null)));
    request.setConfig(
        RequestConfig.custom()
            .setConnectionRequestTimeout(Timeout.ofMilliseconds(Math.max(1, outgoing.millisLeft())))
            .setProtocolUpgradeEnabled(false)
            .setAuthenticationEnabled(false)
            .build());
    return request;
  }

  private Answer answer(HttpUriRequestBase request, CurrentExchange exchange) throws IOException {
    Origin origin = exchange.origin();
    HttpHost destination = new HttpHost(origin.scheme(), bare(origin.host()), origin.port());
    int limit = exchange.outgoing().maxBytes();
    ClassicHttpResponse response = client.executeOpen(destination, request, null);
    exchange.dated(Optional.ofNullable(response.getFirstHeader(HttpHeaders.DATE)).map(Header::getValue));
    boolean whole = false;
    try {
      Optional<byte[]> body = body(response.getEntity(), limit);
      whole = body.isPresent();
      Optional<String> location = Optional.ofNullable(response.getFirstHeader("Location")).map(Header::getValue);
      return body.<Answer>map(bytes -> new Answer.Received(response.getCode(), bytes, location))
          .orElseGet(() -> new Answer.Failed(Cause.TOO_LARGE, "the body exceeds " + limit + " bytes"));
    } finally {
      if (!whole) {
        // Closing the response alone would read the rest of the body.
        request.cancel();
      }
      Closer.closeQuietly(response);
    }
  }

  /** Returns the body, or nothing if it is too large. */
  private static Optional<byte[]> body(@Nullable HttpEntity entity, int limit) throws IOException {
    if (entity == null) {
      return Optional.of(new byte[0]);
    }
    if (entity.getContentLength() > limit) {
      return Optional.empty();
    }
    InputStream in = entity.getContent();
    if (entity.getContentLength() >= 0 && entity.getContentLength() <= MAX_PREALLOCATED) {
      byte[] body = new byte[(int) entity.getContentLength()];
      // HttpClient throws if the body ends before its length.
      in.readNBytes(body, 0, body.length);
      return ended(in) ? Optional.of(body) : Optional.empty();
    }
    byte[] body = in.readNBytes(limit);
    return ended(in) ? Optional.of(body) : Optional.empty();
  }

  /** Checks for the end of the body. Reading the end also returns the connection to the pool. */
  private static boolean ended(InputStream in) throws IOException {
    return in.read() < 0;
  }

  /** Removes the brackets of IPv6 addresses: HttpClient writes them without brackets. */
  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
    resolver.close();
    deadlines.close();
  }
}
