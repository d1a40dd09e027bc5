package dev.gatehouse.common.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Requests that Gatehouse itself sends. Bounded in time and size; names below {@code .localhost} are loopback whatever
 * the machine's resolver says (RFC 6761, section 6.3). Redirects are followed only within the scheme, and neither from
 * elsewhere to this machine nor back. Blocks: call on virtual threads only.
 */
public final class OutboundHttp implements AutoCloseable {

  private static final int MOST_REDIRECTS = 3;

  /**
   * Bounds of one request, redirects included.
   *
   * @param connect to open a connection
   * @param total from the call to the last byte
   * @param mostBytes of the body
   */
  public record Limits(Duration connect, Duration total, int mostBytes) {
    /** 5 s to connect, 10 s in all, 10 MB. */
    public static final Limits USUAL = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(10), 10 << 20);
  }

  /** What came of a request. */
  public sealed interface Answer {
    /** The final response, whatever its status; its location where it is a redirect that was not followed. */
    record Received(int status, byte[] body, Optional<String> location) implements Answer {}

    /** No response, or one out of bounds. @param problem for logs and administrators */
    record Failed(String problem) implements Answer {}
  }

  private final Limits limits;
  private final HttpClient client;
  private final LocalhostHttp localhost;

  /** Trusts the JDK's certificate authorities. */
  public OutboundHttp(Limits limits) {
    this(limits, jdkTrust());
  }

  public OutboundHttp(Limits limits, SSLContext tls) {
    this.limits = limits;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(limits.connect())
            .sslContext(tls)
            .followRedirects(HttpClient.Redirect.NEVER)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    this.localhost = new LocalhostHttp(limits.connect(), tls.getSocketFactory());
  }

  private static SSLContext jdkTrust() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has a default TLS context", e);
    }
  }

  /** GETs the http or https URL. */
  public Answer get(URI url, String accept) {
    Outgoing next =
        Outgoing.of(url, Headers.of("Accept", accept), Optional.empty(), limits.total(), limits.mostBytes());
    for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      Answer answer = once(next);
      if (!(answer instanceof Answer.Received(int status, byte[] body, Optional<String> location))
          || !isRedirect(status)
          || location.isEmpty()) {
        return answer;
      }
      Optional<URI> target = target(next.url(), location.get());
      if (target.isEmpty()) {
        return new Answer.Failed("redirects to where it is not followed");
      }
      next = next.to(target.get());
    }
    return new Answer.Failed("redirects more than " + MOST_REDIRECTS + " times");
  }

  /**
   * POSTs to the http or https URL; no redirect is followed.
   *
   * @param headers Content-Type and Accept among them
   * @param total from the call to the last byte, instead of the usual limit
   * @param mostBytes of the answer's body, where the usual limit is not less
   */
  public Answer post(URI url, Headers headers, byte[] body, Duration total, int mostBytes) {
    return once(Outgoing.of(url, headers, Optional.of(body), total, Math.min(mostBytes, limits.mostBytes())));
  }

  private static boolean isRedirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  private static Optional<URI> target(URI from, String location) {
    try {
      URI to = from.resolve(location);
      boolean sameScheme = from.getScheme().equalsIgnoreCase(to.getScheme());
      boolean whole = to.getHost() != null && to.getRawUserInfo() == null;
      // Neither may a foreign server point us at this machine, nor may what was safe as loopback leave it in the clear.
      boolean sameSide = whole && Loopback.isName(to.getHost()) == Loopback.isName(from.getHost());
      return sameScheme && sameSide ? Optional.of(to) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Answer once(Outgoing outgoing) {
    if (Loopback.isBelowLocalhost(outgoing.url().getHost())) {
      return localhost.send(outgoing);
    }
    HttpRequest.Builder request = HttpRequest.newBuilder(outgoing.url());
    outgoing.headers().fields().forEach(field -> request.header(field.name(), field.value()));
    request.method(
        outgoing.method(), outgoing.body().map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody));
    CompletableFuture<HttpResponse<byte[]>> pending =
        client.sendAsync(
            request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), outgoing.mostBytes()));
    try {
      HttpResponse<byte[]> response = pending.get(Math.max(0, outgoing.millisLeft()), TimeUnit.MILLISECONDS);
      return new Answer.Received(response.statusCode(), response.body(), response.headers().firstValue("Location"));
    } catch (TimeoutException e) {
      pending.cancel(true);
      return new Answer.Failed(outgoing.tooLate());
    } catch (ExecutionException e) {
      return new Answer.Failed(problem(e.getCause()));
    } catch (InterruptedException e) {
      pending.cancel(true);
      Thread.currentThread().interrupt();
      return new Answer.Failed("interrupted");
    }
  }

  /** Exceptions of the network are answers here; what they say tells administrators where to look. */
  static String problem(@Nullable Throwable cause) {
    return switch (cause) {
      case IOException e when e.getMessage() != null && !e.getMessage().isBlank() ->
          e.getClass().getSimpleName() + ": " + e.getMessage();
      case null -> "failed";
      case Throwable other -> other.getClass().getSimpleName();
    };
  }

  @Override
  public void close() {
    client.shutdownNow();
    localhost.close();
  }
}
