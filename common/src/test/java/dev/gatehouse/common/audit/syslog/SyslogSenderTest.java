package dev.gatehouse.common.audit.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditCheckpoints;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.node.Node.AuditConfig.SyslogReceiver;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events reach a receiver over TLS, whatever happens to it. */
@Timeout(60)
class SyslogSenderTest {

  private static final Pattern SEQ = Pattern.compile("\"seq\":(\\d+),\"chain\":\"[0-9a-f]{32}\"}$");
  private static final SyslogSender.Times QUICK = new SyslogSender.Times(Duration.ofMillis(200), Duration.ofMillis(50));

  @TempDir Path root;
  private final TestTime time = new TestTime();
  private final SigningKey key = SamlFixtures.create(KeyAlgorithm.P_256, "localhost");
  private JsonLinesAuditLog log;
  private Optional<SyslogSender> sender = Optional.empty();
  private Optional<Receiver> receiver = Optional.empty();

  /** A receiver that reads messages, or does not. */
  private static final class Receiver implements AutoCloseable {
    private final SSLServerSocket server;
    private final Thread accepting;
    private final List<SSLSocket> accepted = new CopyOnWriteArrayList<>();
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private volatile boolean isReading = true;

    Receiver(SigningKey key, int port) throws Exception {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("server", key.privateKey(), new char[0], new Certificate[] {key.certificate()});
      KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      server = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(port, 50, InetAddress.ofLiteral("127.0.0.1"));
      accepting = Thread.ofPlatform().daemon().start(this::accept);
    }

    private void accept() {
      while (!server.isClosed()) {
        try {
          SSLSocket socket = (SSLSocket) server.accept();
          accepted.add(socket);
          Thread.ofPlatform().daemon().start(() -> read(socket));
        } catch (IOException e) {
          return;
        }
      }
    }

    private void read(SSLSocket socket) {
      try (socket) {
        InputStream in = new DataInputStream(socket.getInputStream());
        for (int c = in.read(); c >= 0; c = in.read()) {
          int length = 0;
          for (; c != ' '; c = in.read()) {
            length = 10 * length + c - '0';
          }
          messages.add(new String(in.readNBytes(length), StandardCharsets.US_ASCII));
          while (!isReading) {
            Thread.sleep(20);
          }
        }
      } catch (IOException | InterruptedException e) {
        // The test ended the connection.
      }
    }

    int port() {
      return server.getLocalPort();
    }

    /** The kernel keeps the port until the thread that accepts has returned, which takes a while on a busy machine. */
    @Override
    public void close() throws IOException {
      server.close();
      try {
        accepting.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      for (SSLSocket socket : accepted) {
        socket.close();
      }
    }
  }

  @BeforeEach
  void open() {
    openLog();
  }

  private void openLog() {
    log = new JsonLinesAuditLog(root.resolve("audit"), Optional.of(root.resolve("head")), 30_000, Duration.ofDays(30), time);
  }

  @AfterEach
  void close() throws IOException {
    sender.ifPresent(SyslogSender::close);
    if (receiver.isPresent()) {
      receiver.get().close();
    }
    log.close();
  }

  private Receiver receive(int port) throws Exception {
    Receiver started = new Receiver(key, port);
    receiver = Optional.of(started);
    return started;
  }

  private void send(String host, int port, SyslogSender.Times times) {
    Path directory = root.resolve("audit");
    sender =
        Optional.of(
            SyslogSender.start(
                new SyslogReceiver(host, port, List.of(key.certificate()), Set.of("TokensIssued")), directory, new AuditSegments(directory, Optional.empty()), log,
                "node1.example.org", times));
  }

  /** Events that the receiver does not get change nothing for the others but their numbers. */
  @Test
  void eventsThatAreLeftOutAreNotSent() throws Exception {
    Receiver started = receive(0);
    send("localhost", started.port(), QUICK);
    write(2);
    log.record(new AuditEvent.TokensIssued(Context.node(), "shop", "code", "alice", "t", "openid"));
    write(1);
    Eventually.holds(() -> seqs(started.messages).contains(4L));
    assertThat(seqs(started.messages)).containsExactly(1L, 2L, 4L);
  }

  private void write(int count) {
    for (int i = 0; i < count; i++) {
      log.record(new AuditEvent.LoginRefused(Context.node(), "name " + i, "password", "WRONG_PASSWORD"));
    }
  }

  private static List<Long> seqs(List<String> messages) {
    return messages.stream()
        .map(SEQ::matcher)
        .filter(Matcher::find)
        .map(found -> Long.parseLong(found.group(1)))
        .distinct()
        .toList();
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  private String position() throws IOException {
    if (!Files.isDirectory(root.resolve("audit/syslog"))) {
      return "";
    }
    try (var files = Files.list(root.resolve("audit/syslog"))) {
      Optional<Path> position = files.filter(file -> file.toString().endsWith(".position")).findFirst();
      return position.isPresent() ? Files.readString(position.get()).strip() : "";
    }
  }

  @Test
  void eventsAndCheckpointsArriveInOrderWithTheirLength() throws Exception {
    Receiver at = receive(0);
    send("localhost", at.port(), QUICK);
    Eventually.holds(() -> position().equals("0"));
    write(700);
    AuditCheckpoints checkpoints = new AuditCheckpoints(log, root.resolve("audit"), key, "test/0", Duration.ofDays(30), time);
    time.advance(Duration.ofMinutes(1));
    checkpoints.writeIfDue();
    Eventually.holds(() -> at.messages.size() == 701);
    assertThat(seqs(at.messages)).as("all, though files were rotated meanwhile").endsWith(700L, 701L);
    assertThat(at.messages.get(0))
        .startsWith("<109>1 2026-01-01T12:00:00.000Z node1.example.org gatehouse - LoginRefused - {\"time\":\"2026-01-01T12:00:00.000Z\",");
    assertThat(at.messages.getLast()).startsWith("<110>1 2026-01-01T12:01:00.000Z node1.example.org gatehouse - CheckpointSigned - {");
    Eventually.holds(() -> position().equals("701"));
  }

  @Test
  void nothingIsLostWhileTheReceiverIsAway() throws Exception {
    write(5);
    Receiver first = receive(0);
    int port = first.port();
    send("localhost", port, QUICK);
    Eventually.holds(() -> first.messages.size() == 5);
    first.close();
    write(500);
    Thread.sleep(300);
    Receiver second = receive(port);
    Eventually.holds(() -> seqs(second.messages).contains(505L));
    List<String> all = new java.util.ArrayList<>(first.messages);
    all.addAll(second.messages);
    assertThat(seqs(all)).containsExactlyInAnyOrderElementsOf(upTo(505));
    assertThat(seqs(second.messages)).isSorted();
  }

  @Test
  void aReceiverThatNeverReadsHoldsUpNobodyAndIsServedLater() throws Exception {
    Receiver at = receive(0);
    at.isReading = false;
    send("localhost", at.port(), new SyslogSender.Times(Duration.ofHours(1), Duration.ofMillis(50)));
    Eventually.holds(() -> at.accepted.size() == 1);
    long begun = System.nanoTime();
    write(20_000);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    Thread.sleep(300);
    assertThat(at.messages.size()).isLessThan(1000);
    at.isReading = true;
    Eventually.holds(() -> at.messages.size() == 20_000);
    assertThat(seqs(at.messages)).isEqualTo(upTo(20_000));
  }

  @Test
  void aSenderGoesOnWhereItStopped() throws Exception {
    Receiver at = receive(0);
    write(10);
    send("localhost", at.port(), SyslogSender.Times.USUAL);
    Eventually.holds(() -> at.messages.size() == 10);
    write(5);
    sender.orElseThrow().close();
    assertThat(at.messages).as("the rest was sent at the end").hasSize(15);
    assertThat(position()).as("the receiver answered the end of the connection").isEqualTo("15");
    write(5);
    send("localhost", at.port(), QUICK);
    Eventually.holds(() -> at.messages.size() == 20);
    assertThat(seqs(at.messages)).isEqualTo(upTo(20));
  }

  @Test
  void whatWasSentToABrokenConnectionIsSentAgain() throws Exception {
    Receiver at = receive(0);
    int port = at.port();
    write(10);
    send("localhost", port, new SyslogSender.Times(Duration.ofHours(1), Duration.ofMillis(50)));
    Eventually.holds(() -> at.messages.size() == 10);
    at.close();
    Receiver again = receive(port);
    Eventually.holds(() -> seqs(again.messages).equals(upTo(10)));
    assertThat(position()).isEqualTo("0");
  }

  @Test
  void aNewReceiverGetsTheEventsOfTheFileThatIsWritten() throws Exception {
    write(700);
    Receiver at = receive(0);
    send("localhost", at.port(), QUICK);
    Eventually.holds(() -> seqs(at.messages).contains(700L));
    assertThat(at.messages).hasSizeLessThan(300);
  }

  @Test
  void aReceiverWithAnotherNameOrAuthorityGetsNothing() throws Exception {
    Receiver at = receive(0);
    write(3);
    send("127.0.0.1", at.port(), QUICK);
    Eventually.holds(() -> at.accepted.size() >= 2);
    assertThat(at.messages).isEmpty();
  }
}
