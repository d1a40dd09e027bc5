package dev.gatehouse.idp.oauth.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.compute.Busy;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.PublicHttp;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logos of clients ({@code logo_uri}, OpenID Connect Dynamic Client Registration 1.0, section 2). We fetch them
 * ourselves, so that the client's server does not learn who is about to log in, and serve a newly encoded image. At
 * most 128 are cached.
 */
public final class ClientLogos {

  private static final Logger LOG = LoggerFactory.getLogger(ClientLogos.class);

  private static final Duration FRESH = Duration.ofDays(1);
  private static final Duration BETWEEN_FAILURES = Duration.ofMinutes(10);
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final int MAX_BYTES = 192 << 10;

  private final PublicHttp http;
  private final InstantSource clock;
  private final Cache<URI, Source> sources = Caffeine.newBuilder().maximumSize(128).executor(Runnable::run).build();

  public ClientLogos(PublicHttp http, InstantSource clock) {
    this.http = http;
    this.clock = clock;
  }

  /** Returns a PNG; empty if the client has no logo, or none that can be shown. Blocks while it is fetched. */
  public Optional<byte[]> png(Client client) {
    return client.config().about().logo().flatMap(uri -> sources.get(uri, Source::new).png(clock.instant()));
  }

  /** If several callers need the logo at the same time, one fetches it and the others wait. */
  private final class Source {
    private final URI uri;
    private Optional<byte[]> png = Optional.empty();
    private Instant next = Instant.MIN;

    Source(URI uri) {
      this.uri = uri;
    }

    /** A logo that was valid is still shown while it cannot be fetched again. */
    synchronized Optional<byte[]> png(Instant now) {
      if (!now.isBefore(next)) {
        try {
          Optional<byte[]> fetched = fetched();
          next = now.plus(fetched.isPresent() ? FRESH : BETWEEN_FAILURES);
          png = fetched.or(() -> png);
        } catch (Busy e) {
          next = now.plus(SOON);
        }
      }
      return png;
    }

    private Optional<byte[]> fetched() {
      return switch (http.get(uri, "image/png, image/jpeg, image/gif")) {
        case Answer.Received(int status, byte[] body, Optional<String> location) ->
            status == 200 ? image(body) : failed("status " + status);
        case Answer.Failed(Cause cause, String problem) -> failed(problem);
      };
    }

    private Optional<byte[]> image(byte[] body) {
      Optional<byte[]> made = LogoImage.png(body).filter(bytes -> bytes.length <= MAX_BYTES);
      return made.isPresent() ? made : failed("it is no PNG, JPEG or GIF of at most 1024 pixels a side");
    }

    private Optional<byte[]> failed(String problem) {
      LOG.info("The logo of a client could not be fetched from {}: {}", uri, problem);
      return Optional.empty();
    }
  }
}
