package dev.gatehouse.common.audit.syslog;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditSegments.Segment;
import dev.gatehouse.common.audit.AuditTail;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.http.OutboundTrust;
import dev.gatehouse.common.node.Node.AuditConfig.SyslogReceiver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the events of the log to one receiver, in their order. The log itself is the queue: a file has the number of the last event that
 * the receiver certainly has. Nobody waits for a receiver, and nothing is lost while it is away, as long as the log or its archive has
 * the events.
 *
 * <p>Syslog has no acknowledgements. Events count as received if the connection still lives some seconds after they were sent, or if the
 * receiver answers the end of the connection. After a failure the others are sent again: a receiver may get events twice, and knows them
 * by {@code seq}.
 */
public final class SyslogSender implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SyslogSender.class);
  private static final int AT_ONCE = 500;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(300);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(60);
  private static final Duration UNTIL_ENDED = Duration.ofSeconds(4);

  /** Times of a sender. */
  public record Times(Duration confirmedAfter, Duration firstDelay) {

    /** The usual times. */
    public static final Times USUAL = new Times(Duration.ofSeconds(10), Duration.ofSeconds(1));
  }

  private record Sent(long seq, long nanos) {}

  private final SyslogReceiver receiver;
  private final String name;
  private final AuditSegments segments;
  private final JsonLinesAuditLog log;
  private final SyslogPosition position;
  private final SyslogMessage messages;
  private final Times times;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable SyslogConnection connection;
  private boolean isFailing;

  private SyslogSender(
      SyslogReceiver receiver, Path directory, AuditSegments segments, JsonLinesAuditLog log, SyslogMessage messages, Times times) {
    this.receiver = receiver;
    this.name = receiver.host() + ":" + receiver.port();
    this.segments = segments;
    this.log = log;
    this.position = new SyslogPosition(directory.resolve("syslog").resolve(name.replaceAll("[^A-Za-z0-9.-]", "_") + ".position"));
    this.messages = messages;
    this.times = times;
    this.thread = Thread.ofPlatform().name("gatehouse-syslog").daemon().unstarted(this::run);
  }

  /**
   * Starts to send.
   *
   * @param directory the audit log's directory, for the file with the position
   * @param host the name of this machine, for the messages
   */
  public static SyslogSender start(
      SyslogReceiver receiver, Path directory, AuditSegments segments, JsonLinesAuditLog log, String host, Times times) {
    SyslogSender sender = new SyslogSender(receiver, directory, segments, log, new SyslogMessage(host, receiver.leftOut()), times);
    sender.thread.start();
    return sender;
  }

  private void run() {
    Duration delay = times.firstDelay();
    while (closing.getCount() > 0) {
      long before = position.read().orElse(-1);
      try {
        send(begin());
      } catch (Exception | OutOfMemoryError e) {
        if (closing.getCount() > 0 && !isFailing) {
          LOG.warn("Events of the audit log cannot be sent to {}; they wait in the log: {}", name, e.toString());
        }
        isFailing = true;
      }
      boolean isProgress = position.read().orElse(-1) > before;
      delay = isProgress ? times.firstDelay() : min(delay.multipliedBy(2), LONGEST_DELAY);
      pause(delay);
    }
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private void pause(Duration time) {
    try {
      if (closing.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closing.countDown();
    }
  }

  /** Sends over one connection until it breaks or the sender is closed. */
  private void send(long after) throws IOException {
    SSLContext trust = OutboundTrust.with(receiver.authorities());
    try (SyslogConnection open = SyslogConnection.open(receiver.host(), receiver.port(), trust);
        AuditTail tail = new AuditTail(segments, after)) {
      connection = open;
      if (isFailing) {
        LOG.info("Events of the audit log are sent to {} again", name);
        isFailing = false;
      }
      send(open, tail);
    } finally {
      connection = null;
    }
  }

  private void send(SyslogConnection open, AuditTail tail) throws IOException {
    Deque<Sent> unconfirmed = new ArrayDeque<>();
    while (closing.getCount() > 0) {
      boolean isSent = sendNext(open, tail, unconfirmed);
      open.idle(isSent ? Duration.ofMillis(1) : LOOK_AGAIN);
      confirm(unconfirmed);
    }
    // What was written before the end, and the last checkpoint if it was signed already.
    for (int i = 0; i < AT_ONCE && sendNext(open, tail, unconfirmed); i++) {
      open.idle(Duration.ofMillis(1));
    }
    if (open.end() && !unconfirmed.isEmpty()) {
      position.write(unconfirmed.getLast().seq());
    }
  }

  private boolean sendNext(SyslogConnection open, AuditTail tail, Deque<Sent> unconfirmed) throws IOException {
    List<AuditTail.Line> lines = tail.next(AT_ONCE, log.written());
    if (lines.isEmpty()) {
      return false;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    lines.forEach(line -> messages.append(line.bytes(), bytes));
    if (bytes.size() > 0) {
      open.send(bytes.toByteArray());
    }
    unconfirmed.add(new Sent(lines.getLast().seq(), System.nanoTime()));
    return true;
  }

  private void confirm(Deque<Sent> unconfirmed) throws IOException {
    long now = System.nanoTime();
    long confirmed = -1;
    while (!unconfirmed.isEmpty() && now - unconfirmed.getFirst().nanos() > times.confirmedAfter().toNanos()) {
      confirmed = unconfirmed.removeFirst().seq();
    }
    if (confirmed >= 0) {
      position.write(confirmed);
    }
  }

  /** A new receiver gets the events of the file that is written, and no older ones. */
  private long begin() throws IOException {
    List<Segment> all = segments.all();
    long begin = position.read().orElse(all.isEmpty() ? 0 : all.getLast().first() - 1);
    position.write(begin);
    if (!all.isEmpty() && all.getFirst().first() > begin + 1) {
      LOG.warn("Events {} to {} of the audit log were removed before {} received them", begin + 1, all.getFirst().first() - 1, name);
    }
    return begin;
  }

  /** Sends what is left, if the receiver takes it within some seconds. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join(UNTIL_ENDED.toMillis());
      SyslogConnection open = connection;
      if (open != null) {
        open.close();
        thread.join(UNTIL_ENDED.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
