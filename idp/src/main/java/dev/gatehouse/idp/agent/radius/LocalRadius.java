package dev.gatehouse.idp.agent.radius;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.idp.agent.server.Passcodes;
import dev.gatehouse.idp.otp.packet.DuplicateWindow;
import dev.gatehouse.idp.otp.packet.DuplicateWindow.Entry;
import dev.gatehouse.idp.otp.packet.DuplicateWindow.Seen;
import dev.gatehouse.idp.otp.packet.ParsedPacket;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** RADIUS over UDP on loopback. A packet that is not authentic gets no answer; one that comes again gets the same one. */
public final class LocalRadius implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LocalRadius.class);

  /** The most requests at a time; a host has few people who log in at once. */
  private static final int PLACES = 256;

  /** Authenticators of unsigned packets that are remembered. */
  private static final int MOST = 65_536;

  private final DatagramChannel channel;
  private final LocalRequests requests;
  private final LocalSenders senders;

  /** The packet that came with an authenticator: whoever knows the password of one could hide others with the same. */
  private final Map<String, String> unsigned =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MOST;
        }
      };

  private final DuplicateWindow duplicates = new DuplicateWindow(System::nanoTime);
  private final Semaphore free = new Semaphore(PLACES);
  private final LogThrottle foreign = new LogThrottle();
  private final LogThrottle faults = new LogThrottle();
  private final int port;

  private LocalRadius(DatagramChannel channel, LocalRequests requests, LocalSenders senders) throws IOException {
    this.senders = senders;
    this.channel = channel;
    this.requests = requests;
    this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
  }

  /** Opens the socket. */
  public static LocalRadius open(LocalRadiusSettings settings, Passcodes passcodes) throws IOException {
    return open(settings, passcodes, LocalSenders.of(settings.users()));
  }

  static LocalRadius open(LocalRadiusSettings settings, Passcodes passcodes, LocalSenders senders) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      channel.bind(settings.address());
      LocalRadius radius = new LocalRadius(channel, new LocalRequests(settings, passcodes), senders);
      Thread.ofPlatform().name("agent-radius").daemon().start(radius::read);
      return radius;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  public int port() {
    return port;
  }

  private void read() {
    ByteBuffer buffer = ByteBuffer.allocate(RadiusPacket.MAX_LENGTH);
    while (channel.isOpen()) {
      try {
        buffer.clear();
        SocketAddress from = channel.receive(buffer);
        if (from instanceof InetSocketAddress sender && sender.getAddress().isLoopbackAddress()) {
          take(sender, buffer.array(), buffer.position());
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | RuntimeException e) {
        faults.count().ifPresent(times -> LOG.warn("A RADIUS packet could not be read ({} times since the start)", times, e));
      }
    }
  }

  private void take(InetSocketAddress sender, byte[] bytes, int length) throws IOException {
    if (!(RadiusPacket.parse(bytes, length) instanceof ParsedPacket.Read(RadiusPacket packet)) || !requests.isAuthentic(packet)
        || !LocalRequests.isSigned(packet) && !isOurs(sender, packet, Arrays.copyOf(bytes, length))) {
      foreign.count()
          .ifPresent(times -> LOG.warn("A RADIUS packet is no request of a program with the secret, and gets no answer ({} times since "
              + "the start)", times));
      return;
    }
    switch (duplicates.seen(sender, packet.code(), packet.identifier(), packet.authenticator())) {
      case Seen.Again(Optional<byte[]> answer) -> answer.ifPresent(known -> send(known, sender));
      case Seen.New(Entry entry) -> {
        if (free.tryAcquire()) {
          Thread.startVirtualThread(() -> work(packet, entry, sender));
        } else {
          duplicates.forget(entry);
        }
      }
    }
  }

  private boolean isOurs(InetSocketAddress sender, RadiusPacket packet, byte[] bytes) throws IOException {
    String whole = sender + " " + Sha256.hex(bytes);
    return senders.isOurs(sender) && whole.equals(unsigned.computeIfAbsent(HexFormat.of().formatHex(packet.authenticator()), key -> whole));
  }

  private void work(RadiusPacket packet, Entry entry, InetSocketAddress sender) {
    try {
      Optional<byte[]> answer = requests.answer(packet);
      if (answer.isEmpty()) {
        duplicates.forget(entry);
      }
      answer.ifPresent(
          bytes -> {
            duplicates.answered(entry, bytes);
            send(bytes, sender);
          });
    } catch (RuntimeException e) {
      duplicates.forget(entry);
      faults.count().ifPresent(times -> LOG.error("A RADIUS request failed ({} times since the start)", times, e));
    } finally {
      free.release();
    }
  }

  private void send(byte[] answer, InetSocketAddress to) {
    try {
      channel.send(ByteBuffer.wrap(answer), to);
    } catch (IOException e) {
      faults.count().ifPresent(times -> LOG.warn("A RADIUS answer could not be sent to {} ({} times since the start)", to, times, e));
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
