package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.idp.otp.packet.ParsedPacket;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.radius.RadiusRequests.Admission;
import dev.gatehouse.idp.otp.radius.RadiusRequests.Admitted;
import dev.gatehouse.idp.otp.radius.RadiusRequests.Source;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of RadSec. A stream has no padding: a packet that is malformed or not authentic ends the connection (RFC 6613, section
 * 2.6.4). So many requests of it are worked on at the same time; the connection is not read while there are more.
 */
final class RadsecConnection {

  private static final Logger LOG = LoggerFactory.getLogger(RadsecConnection.class);
  private static final int AT_ONCE = 64;
  private static final int LENGTH_END = 4;
  private static final int LEAST_LENGTH = 20;

  /** How long a connection may be idle. Clients send Status-Server more often, or connect again. */
  private static final long IDLE_NANOS = Duration.ofMinutes(10).toNanos();

  private static final long NONE = Long.MAX_VALUE;

  private final Socket socket;
  private final RadsecTls tls;
  private final RealmClients clients;
  private final RadiusRequests requests;
  private final InetAddress from;
  private final Semaphore places = new Semaphore(AT_ONCE);
  private final Lock writing = new ReentrantLock();
  private final long stepNanos;
  private final long begun = System.nanoTime();

  /** Nanoseconds after the beginning at which the connection is closed; one for each direction. */
  private volatile long readBy;

  private volatile long writtenBy = NONE;
  private volatile boolean ending;

  /** @param step how long a handshake, the rest of a packet, or a write may take */
  RadsecConnection(Socket socket, RadsecTls tls, RealmClients clients, RadiusRequests requests, Duration step) {
    this.stepNanos = step.toNanos();
    this.readBy = stepNanos;
    this.socket = socket;
    this.tls = tls;
    this.clients = clients;
    this.requests = requests;
    this.from = socket.getInetAddress();
  }

  /** Serves until either end closes the connection. */
  void serve() {
    try (socket; SSLSocket secure = tls.over(socket)) {
      socket.setTcpNoDelay(true);
      secure.startHandshake();
      List<String> names = RadsecTls.names(secure.getSession());
      if (clients.named(names).isEmpty()) {
        requests.refuse(Dropped.UNKNOWN_CLIENT, clients.realm(), "-", from);
        return;
      }
      read(names, new BufferedInputStream(secure.getInputStream(), RadiusPacket.MAX_LENGTH), secure.getOutputStream());
      awaitAnswers();
    } catch (SSLHandshakeException e) {
      requests.refuse(Dropped.UNKNOWN_CLIENT, clients.realm(), "-", from);
    } catch (IOException e) {
      LOG.debug("A connection of RadSec ended", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(List<String> names, InputStream in, OutputStream out) throws IOException, InterruptedException {
    byte[] bytes = new byte[RadiusPacket.MAX_LENGTH];
    while (!ending) {
      readBy = sinceBegun() + IDLE_NANOS;
      int first = in.read();
      if (first < 0) {
        return;
      }
      readBy = sinceBegun() + stepNanos;
      bytes[0] = (byte) first;
      int length = frame(in, bytes);
      readBy = NONE;
      // Looked up for each packet: the client may have been removed.
      Optional<KnownClient> client = clients.named(names);
      if (client.isEmpty()) {
        requests.refuse(Dropped.UNKNOWN_CLIENT, clients.realm(), "-", from);
        return;
      }
      ParsedPacket parsed = length == 0 ? new ParsedPacket.Malformed(ParsedPacket.Reason.LENGTH_OUT_OF_RANGE) : RadiusPacket.parse(bytes, length);
      switch (parsed) {
        case ParsedPacket.Malformed(ParsedPacket.Reason reason) -> {
          requests.refuse(Dropped.MALFORMED, clients.realm(), client.get().name(), from);
          return;
        }
        case ParsedPacket.Read(RadiusPacket packet) -> take(client.get(), packet, out);
      }
    }
  }

  /** Reads the rest of a packet whose first byte is there. Returns its length; 0 if it cannot be one. */
  private static int frame(InputStream in, byte[] bytes) throws IOException {
    fill(in, bytes, 1, LENGTH_END);
    int length = (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
    if (length < LEAST_LENGTH || length > RadiusPacket.MAX_LENGTH) {
      return 0;
    }
    fill(in, bytes, LENGTH_END, length);
    return length;
  }

  private static void fill(InputStream in, byte[] bytes, int from, int to) throws IOException {
    if (in.readNBytes(bytes, from, to - from) < to - from) {
      throw new IOException("the connection ended within a packet");
    }
  }

  private void take(KnownClient client, RadiusPacket packet, OutputStream out) throws IOException, InterruptedException {
    places.acquire();
    boolean passedOn = false;
    try {
      switch (requests.admit(client, new Source(from, this), packet)) {
        case Admission.Known(byte[] answer) -> write(out, answer);
        case Admission.Silence() -> {}
        case Admission.Work(Admitted request) -> {
          passedOn = true;
          Thread.startVirtualThread(() -> answer(request, out));
        }
      }
    } finally {
      if (!passedOn) {
        places.release();
      }
    }
  }

  private void answer(Admitted request, OutputStream out) {
    try {
      Optional<byte[]> answer = requests.work(request);
      if (answer.isPresent()) {
        write(out, answer.get());
      }
    } catch (IOException e) {
      close();
    } finally {
      places.release();
    }
  }

  private void write(OutputStream out, byte[] answer) throws IOException {
    writing.lock();
    try {
      writtenBy = sinceBegun() + stepNanos;
      out.write(answer);
      out.flush();
    } finally {
      writtenBy = NONE;
      writing.unlock();
    }
  }

  private void awaitAnswers() throws InterruptedException {
    readBy = NONE;
    places.acquire(AT_ONCE);
  }

  private long sinceBegun() {
    return System.nanoTime() - begun;
  }

  void closeIfLate(long now) {
    long since = now - begun;
    if (since > readBy || since > writtenBy) {
      close();
    }
  }

  /** Takes no further packets. The thread may be waiting for one; the end of the connection wakes it. */
  void readNoMore() {
    ending = true;
  }

  /** Closes the socket below TLS, which also ends a write that its peer does not read. */
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("A connection of RadSec did not close", e);
    }
  }
}
