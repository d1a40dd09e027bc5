package dev.gatehouse.gateway.netty.tls;

import dev.gatehouse.common.node.Node;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of one listener: certificates that are reloaded when their files change, and session tickets (RFC 8446, section
 * 4.6.1) under the gateway's own keys, which change every few hours. Existing connections are not affected. If changed
 * files cannot be used, the previous certificates stay in use; the error is logged once and reported by {@link
 * #problem}.
 *
 * <p>A listener that asks for client certificates issues no tickets: the certificate is presented and checked on each
 * connection.
 */
public final class ListenerTls {

  private static final Logger LOG = LoggerFactory.getLogger(ListenerTls.class);

  /** A ticket under the previous key is accepted, too. */
  private static final Duration ROTATION = Duration.ofHours(6);

  private final List<Node.Tls> files;
  private final Optional<Path> clientAuthorities;
  private final InstantSource time;
  private final RandomGenerator random;

  private volatile ServerCertificates certificates;
  private volatile Optional<String> problem = Optional.empty();
  private List<Object> seen;
  private @Nullable OpenSslSessionTicketKey previous;
  private OpenSslSessionTicketKey current;
  private Instant rotateAt;

  /** @throws UncheckedIOException if the files do not hold a certificate and its key */
  ListenerTls(Node.Listener listener, InstantSource time, RandomGenerator random) {
    this.files = listener.certificates();
    this.clientAuthorities = listener.clientAuthorities();
    this.time = time;
    this.random = random;
    this.seen = stamps();
    this.current = newKey();
    this.rotateAt = time.instant().plus(ROTATION);
    this.certificates = ServerCertificates.load(files, clientAuthorities);
    setTicketKeys(certificates);
  }

  /** The first handler of a connection. */
  public ChannelHandler handler(Channel channel, Duration handshake) {
    ServerCertificates now = certificates;
    return now.isOne() ? TlsContexts.handler(now.first(), channel, handshake) : new CertificateChoice(now, handshake);
  }

  /** The problem of changed files that cannot be used; empty if there is none. */
  Optional<String> problem() {
    return problem;
  }

  /** Checks whether the keys are due or the files have changed; called every few seconds. Blocks. */
  synchronized void poll() {
    if (!time.instant().isBefore(rotateAt)) {
      previous = current;
      current = newKey();
      rotateAt = time.instant().plus(ROTATION);
      setTicketKeys(certificates);
    }
    List<Object> stamps = stamps();
    if (stamps.equals(seen)) {
      return;
    }
    seen = stamps;
    try {
      ServerCertificates fresh = ServerCertificates.load(files, clientAuthorities);
      setTicketKeys(fresh);
      certificates = fresh;
      problem = Optional.empty();
      LOG.info("New certificates are in use: {}", files.stream().map(Node.Tls::certificate).toList());
    } catch (RuntimeException e) {
      problem = Optional.of(String.valueOf(e.getMessage()));
      LOG.error("Changed certificates cannot be used, the old ones stay in use: {}", e.getMessage());
    }
  }

  private void setTicketKeys(ServerCertificates to) {
    if (clientAuthorities.isPresent()) {
      return;
    }
    OpenSslSessionTicketKey old = previous;
    for (SslContext context : to.contexts()) {
      if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
        if (old == null) {
          sessions.setTicketKeys(current);
        } else {
          sessions.setTicketKeys(current, old);
        }
      }
    }
  }

  private OpenSslSessionTicketKey newKey() {
    return new OpenSslSessionTicketKey(
        bytes(OpenSslSessionTicketKey.NAME_SIZE),
        bytes(OpenSslSessionTicketKey.HMAC_KEY_SIZE),
        bytes(OpenSslSessionTicketKey.AES_KEY_SIZE));
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Time and size of each file; a missing file counts as a change as well. */
  private List<Object> stamps() {
    List<Object> stamps = new ArrayList<>();
    Stream.concat(files.stream().flatMap(one -> Stream.of(one.certificate(), one.privateKey())), clientAuthorities.stream())
        .forEach(
            file -> {
              try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                stamps.add(attributes.lastModifiedTime());
                stamps.add(attributes.size());
              } catch (IOException e) {
                stamps.add("missing");
              }
            });
    return stamps;
  }
}
