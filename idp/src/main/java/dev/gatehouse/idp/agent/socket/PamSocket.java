package dev.gatehouse.idp.agent.socket;

import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.idp.agent.server.Asked;
import dev.gatehouse.idp.agent.server.Passcodes;
import dev.gatehouse.idp.agent.server.RealmAnswer;
import dev.gatehouse.idp.agent.server.RealmAnswer.Accepted;
import dev.gatehouse.idp.agent.server.RealmAnswer.Challenged;
import dev.gatehouse.idp.agent.server.RealmAnswer.Rejected;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unavailable;
import dev.gatehouse.idp.otp.radius.RadiusTexts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions about passcodes over a Unix socket: one question and one answer a connection. The answer is lines, too: {@code result}
 * (accept, reject, challenge, unknown or unavailable), then {@code name} or {@code challenge}, and {@code message} for the person.
 */
public final class PamSocket implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PamSocket.class);

  private static final int PLACES = 256;

  /** Whoever is connected and says nothing for so long is cut off. */
  private static final Duration LONGEST_QUESTION = Duration.ofSeconds(10);

  private final PamSocketSettings settings;
  private final ServerSocketChannel channel;
  private final Passcodes passcodes;
  private final RadiusTexts texts;
  private final Semaphore free = new Semaphore(PLACES);
  private final LogThrottle refused = new LogThrottle();
  private final LogThrottle faults = new LogThrottle();

  private PamSocket(PamSocketSettings settings, ServerSocketChannel channel, Passcodes passcodes) {
    this.settings = settings;
    this.channel = channel;
    this.passcodes = passcodes;
    this.texts = RadiusTexts.in(settings.language());
  }

  /** Opens the socket; one that a former agent left behind is replaced. */
  public static PamSocket open(PamSocketSettings settings, Passcodes passcodes) throws IOException {
    PamSocket socket = new PamSocket(settings, ClosedSocket.open(settings.path(), settings.group()), passcodes);
    Thread.ofPlatform().name("agent-socket").daemon().start(socket::accept);
    return socket;
  }

  private void accept() {
    while (channel.isOpen()) {
      try {
        take(channel.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | RuntimeException e) {
        faults.count().ifPresent(times -> LOG.warn("A connection to {} failed ({} times since the start)", settings.path(), times, e));
      }
    }
  }

  private void take(SocketChannel peer) throws IOException {
    boolean isTaken = false;
    try {
      isTaken = mayAsk(peer) && free.tryAcquire();
    } finally {
      if (!isTaken) {
        peer.close();
      }
    }
    if (isTaken) {
      Thread.startVirtualThread(() -> converse(peer));
    }
  }

  /** The kernel says who is there (SO_PEERCRED); the permissions of the socket are the first check. */
  private boolean mayAsk(SocketChannel peer) throws IOException {
    UnixDomainPrincipal principal = peer.getOption(ExtendedSocketOptions.SO_PEERCRED);
    String user = principal.user().getName();
    boolean may =
        user.equals("root") || user.equals(System.getProperty("user.name")) || settings.group().isPresent() && settings.users().isEmpty()
            || settings.users().contains(user);
    if (!may) {
      refused.count().ifPresent(times -> LOG.warn("{} may not ask at {} ({} times since the start)", user, settings.path(), times));
    }
    return may;
  }

  private void converse(SocketChannel peer) {
    Thread limit = Thread.startVirtualThread(() -> closeAfter(peer, LONGEST_QUESTION));
    try (peer) {
      Optional<Asked> asked = question(peer);
      limit.interrupt();
      String answer = asked.isEmpty() ? "result malformed\n\n" : answer(passcodes.ask(asked.get()));
      ByteBuffer bytes = ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        peer.write(bytes);
      }
    } catch (IOException | RuntimeException e) {
      faults.count().ifPresent(times -> LOG.warn("A question at {} was not answered ({} times since the start)", settings.path(), times,
          e));
    } finally {
      limit.interrupt();
      free.release();
    }
  }

  private static Optional<Asked> question(SocketChannel peer) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(PamMessage.LONGEST);
    while (buffer.hasRemaining()) {
      if (peer.read(buffer) < 0) {
        return Optional.empty();
      }
      int end = buffer.position();
      if (end >= 2 && buffer.get(end - 1) == '\n' && buffer.get(end - 2) == '\n') {
        return PamMessage.read(buffer.array(), end - 2);
      }
    }
    return Optional.empty();
  }

  private String answer(RealmAnswer answer) {
    return switch (answer) {
      case Accepted(String name, Optional<String> ticket) -> "result accept\nname " + name + "\n\n";
      case Rejected rejected -> "result reject\n" + message(texts.refused());
      case Challenged(var question, String reference, var shown, var pin) ->
          "result challenge\nchallenge " + reference + "\n" + message(texts.of(question, shown, pin));
      case RealmAnswer.Unknown unknown -> "result unknown\n" + message(texts.unknown());
      case Unavailable unavailable -> "result unavailable\n\n";
    };
  }

  private static String message(byte[] text) {
    return "message " + new String(text, StandardCharsets.UTF_8) + "\n\n";
  }

  private static void closeAfter(SocketChannel peer, Duration time) {
    try {
      Thread.sleep(time);
      peer.close();
    } catch (InterruptedException | IOException e) {
      // The question came in time, or nobody is there any more.
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(settings.path());
  }
}
