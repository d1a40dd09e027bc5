package dev.gatehouse.common.http;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * The few lines of HTTP/1.1 (RFC 9112) that reach a name below {@code .localhost}: the JDK's client can neither resolve
 * it on every machine nor connect elsewhere than its URL says. One request a connection; talks to this machine only.
 */
final class LocalhostHttp {

  private static final int MOST_HEAD_BYTES = 64 << 10;
  private static final byte[] NOTHING = new byte[0];

  private final Duration connect;
  private final SSLSocketFactory tls;

  LocalhostHttp(Duration connect, SSLSocketFactory tls) {
    this.connect = connect;
    this.tls = tls;
  }

  Answer send(Outgoing outgoing) {
    Origin origin = Origin.of(outgoing.url());
    try (Socket plain = new Socket()) {
      InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
      int patience = Math.min((int) connect.toMillis(), millisLeft(outgoing));
      plain.connect(new InetSocketAddress(loopback, origin.port()), patience);
      Socket socket = origin.isSecure() ? secured(plain, origin, outgoing) : plain;
      socket.getOutputStream().write(request(outgoing, origin));
      socket.getOutputStream().flush();
      return answer(new Timed(socket, outgoing), outgoing.mostBytes());
    } catch (SocketTimeoutException e) {
      return new Answer.Failed(outgoing.tooLate());
    } catch (IOException e) {
      return new Answer.Failed(OutboundHttp.problem(e));
    }
  }

  private Socket secured(Socket plain, Origin origin, Outgoing outgoing) throws IOException {
    SSLSocket socket = (SSLSocket) tls.createSocket(plain, origin.host(), origin.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(millisLeft(outgoing));
    socket.startHandshake();
    return socket;
  }

  private static byte[] request(Outgoing outgoing, Origin origin) {
    URI url = outgoing.url();
    String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    StringBuilder head = new StringBuilder(256);
    head.append(outgoing.method()).append(' ').append(target).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(origin.authority()).append("\r\nUser-Agent: gatehouse\r\nConnection: close\r\n");
    outgoing.headers().fields().forEach(f -> head.append(f.name()).append(": ").append(f.value()).append("\r\n"));
    byte[] body = outgoing.body().orElse(NOTHING);
    if (outgoing.body().isPresent()) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, whole, start.length, body.length);
    return whole;
  }

  private static Answer answer(Timed in, int mostBytes) throws IOException {
    int status = status(in.line());
    while (status >= 100 && status < 200) {
      headers(in);
      status = status(in.line());
    }
    Map<String, String> headers = headers(in);
    byte[] body = status == 204 || status == 304 ? new byte[0] : body(in, headers, mostBytes);
    return new Answer.Received(status, body, Optional.ofNullable(headers.get("location")));
  }

  private static int status(String line) throws ProtocolException {
    if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
      throw new ProtocolException("not an HTTP/1 response");
    }
    return Integer.parseInt(line.substring(9, 12));
  }

  private static Map<String, String> headers(Timed in) throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = in.line(); !line.isEmpty(); line = in.line()) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    }
    return headers;
  }

  private static byte[] body(Timed in, Map<String, String> headers, int mostBytes) throws IOException {
    if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
      return chunks(in, mostBytes);
    }
    String length = headers.get("content-length");
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (length == null) {
      in.upTo(mostBytes + 1, body);
      bounded(body.size(), mostBytes);
    } else {
      int expected = size(length, 10, mostBytes);
      in.exactly(expected, body);
    }
    return body.toByteArray();
  }

  private static byte[] chunks(Timed in, int mostBytes) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int size = size(in.line().replaceFirst(";.*", "").strip(), 16, mostBytes);
      if (size == 0) {
        return body.toByteArray();
      }
      bounded((long) body.size() + size, mostBytes);
      in.exactly(size, body);
      if (!in.line().isEmpty()) {
        throw new ProtocolException("a chunk is longer than it says");
      }
    }
  }

  private static int size(String text, int radix, int mostBytes) throws ProtocolException {
    try {
      long size = Long.parseLong(text, radix);
      if (size < 0) {
        throw new ProtocolException("a length is negative");
      }
      return bounded(size, mostBytes);
    } catch (NumberFormatException e) {
      throw new ProtocolException("a length is not a number");
    }
  }

  private static int bounded(long bytes, int mostBytes) throws ProtocolException {
    if (bytes > mostBytes) {
      throw new ProtocolException("the body exceeds " + mostBytes + " bytes");
    }
    return (int) bytes;
  }

  private static int millisLeft(Outgoing outgoing) throws SocketTimeoutException {
    long millis = outgoing.millisLeft();
    if (millis <= 0) {
      throw new SocketTimeoutException();
    }
    return (int) millis;
  }

  /** A socket's input with one deadline for all of it. */
  private static final class Timed {

    private final Socket socket;
    private final InputStream in;
    private final Outgoing outgoing;
    private final byte[] buffer = new byte[8192];
    private int at;
    private int end;
    private int headBytes;

    Timed(Socket socket, Outgoing outgoing) throws IOException {
      this.socket = socket;
      this.in = socket.getInputStream();
      this.outgoing = outgoing;
    }

    private boolean fill() throws IOException {
      socket.setSoTimeout(millisLeft(outgoing));
      at = 0;
      end = Math.max(0, in.read(buffer));
      return end > 0;
    }

    /** One line of a head, without its end. */
    String line() throws IOException {
      StringBuilder line = new StringBuilder();
      while (at < end || fill()) {
        char c = (char) (buffer[at++] & 0xff);
        if (++headBytes > MOST_HEAD_BYTES) {
          throw new ProtocolException("the head is too large");
        }
        if (c == '\n') {
          return line.toString();
        }
        if (c != '\r') {
          line.append(c);
        }
      }
      throw new ProtocolException("the response ends too early");
    }

    void exactly(int bytes, ByteArrayOutputStream to) throws IOException {
      int before = to.size();
      upTo(bytes, to);
      if (to.size() - before < bytes) {
        throw new ProtocolException("the response ends too early");
      }
    }

    void upTo(int bytes, ByteArrayOutputStream to) throws IOException {
      int left = bytes;
      while (left > 0 && (at < end || fill())) {
        int taken = Math.min(left, end - at);
        to.write(buffer, at, taken);
        at += taken;
        left -= taken;
      }
    }
  }
}
