package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.realm.Node;
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
 * TLS of one listener: certificates that are read again when their files change, and session tickets (RFC 8446, section 4.6.1)
 * under keys of our own that change every few hours. What connections have agreed on stays as it is. Files that cannot be used
 * leave the certificates as they are, which is logged once and told by {@link #problem}.
 *
 * <p>A listener that asks for client certificates gives no tickets: each connection shows its certificate, and it is looked at.
 */
final class ListenerTls {

  private static final Logger LOG = LoggerFactory.getLogger(ListenerTls.class);

  /** A ticket counts under the key before, too. */
  private static final Duration ROTATION = Duration.ofHours(6);

  private final List<Node.Tls> files;
  private final Optional<Path> clientAuthorities;
  private final InstantSource time;
  private final RandomGenerator random;

  private volatile ServerCertificates certificates;
  private volatile Optional<String> problem = Optional.empty();
  private List<Object> seen;
  private @Nullable OpenSslSessionTicketKey before;
  private OpenSslSessionTicketKey current;
  private Instant rotateAt;

  /** Throws {@link UncheckedIOException} where the files hold no certificate and key. */
  ListenerTls(Node.Listener listener, InstantSource time, RandomGenerator random) {
    this.files = listener.certificates();
    this.clientAuthorities = listener.clientAuthorities();
    this.time = time;
    this.random = random;
    this.seen = stamps();
    this.current = newKey();
    this.rotateAt = time.instant().plus(ROTATION);
    this.certificates = ServerCertificates.load(files, clientAuthorities);
    giveKeys(certificates);
  }

  /** What stands at the beginning of a connection. */
  ChannelHandler handler(Channel channel, Duration handshake) {
    ServerCertificates now = certificates;
    return now.isOne() ? TlsContexts.handler(now.first(), channel, handshake) : new CertificateChoice(now, handshake);
  }

  /** What is wrong with the files, where they were changed to something that cannot be used. */
  Optional<String> problem() {
    return problem;
  }

  /** Looks whether anything has changed; called every few seconds. Blocks. */
  synchronized void poll() {
    if (!time.instant().isBefore(rotateAt)) {
      before = current;
      current = newKey();
      rotateAt = time.instant().plus(ROTATION);
      giveKeys(certificates);
    }
    List<Object> stamps = stamps();
    if (stamps.equals(seen)) {
      return;
    }
    seen = stamps;
    try {
      ServerCertificates fresh = ServerCertificates.load(files, clientAuthorities);
      giveKeys(fresh);
      certificates = fresh;
      problem = Optional.empty();
      LOG.info("New certificates count from now on: {}", files.stream().map(Node.Tls::certificate).toList());
    } catch (RuntimeException e) {
      problem = Optional.of(String.valueOf(e.getMessage()));
      LOG.error("Changed certificates cannot be used, the old ones go on: {}", e.getMessage());
    }
  }

  private void giveKeys(ServerCertificates to) {
    if (clientAuthorities.isPresent()) {
      return;
    }
    OpenSslSessionTicketKey old = before;
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

  /** Time and length of each file; a missing one is a change as well. */
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
