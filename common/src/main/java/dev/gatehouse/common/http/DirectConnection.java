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
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One connection to an address that was chosen beforehand, one request after the other (RFC 9112). It can be used again
 * where the end of the answer was told by its length or by chunks, and the server did not say that it closes (section 9.3).
 */
final class DirectConnection implements AutoCloseable {

  private static final int MOST_HEAD_BYTES = 64 << 10;
  private static final byte[] NOTHING = new byte[0];
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] [1-5]\\d\\d( .*)?");

  private final Origin origin;
  private final SocketChannel channel;
  private final Socket socket;
  private final InputStream in;
  private final byte[] buffer = new byte[8192];
  private int at;
  private int end;
  private int headBytes;
  private boolean answered;
  private boolean reusable;

  private DirectConnection(Origin origin, SocketChannel channel, Socket socket) throws IOException {
    this.origin = origin;
    this.channel = channel;
    this.socket = socket;
    this.in = socket.getInputStream();
  }

  /** @param address where the origin's host is, whatever a resolver says now */
  static DirectConnection open(
      Origin origin, InetAddress address, Duration connect, SSLSocketFactory tls, Outgoing outgoing)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      int patience = Math.min((int) connect.toMillis(), millisLeft(outgoing));
      channel.socket().connect(new InetSocketAddress(address, origin.port()), patience);
      channel.socket().setTcpNoDelay(true);
      Socket socket = origin.isSecure() ? secured(channel.socket(), origin, tls, outgoing) : channel.socket();
      return new DirectConnection(origin, channel, socket);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static Socket secured(Socket plain, Origin origin, SSLSocketFactory tls, Outgoing outgoing)
      throws IOException {
    SSLSocket socket = (SSLSocket) tls.createSocket(plain, origin.host(), origin.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(millisLeft(outgoing));
    socket.startHandshake();
    return socket;
  }

  Origin origin() {
    return origin;
  }

  /** Whether a byte of the answer to the last request has come. */
  boolean hasAnswered() {
    return answered;
  }

  /** Whether another request may follow the last answer. */
  boolean isReusable() {
    return reusable;
  }

  /** Whether its server has neither closed it nor said anything that nobody asked for. */
  boolean isQuiet() {
    try {
      channel.configureBlocking(false);
      int read = channel.read(ByteBuffer.allocate(1));
      channel.configureBlocking(true);
      return read == 0;
    } catch (IOException e) {
      return false;
    }
  }

  Answer exchange(Outgoing outgoing) throws IOException {
    answered = false;
    reusable = false;
    headBytes = 0;
    socket.getOutputStream().write(request(outgoing));
    socket.getOutputStream().flush();
    return answer(outgoing);
  }

  private byte[] request(Outgoing outgoing) {
    URI url = outgoing.url();
    String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    StringBuilder head = new StringBuilder(256);
    head.append(outgoing.method()).append(' ').append(target).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(origin.authority()).append("\r\nUser-Agent: gatehouse\r\n");
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

  private Answer answer(Outgoing outgoing) throws IOException {
    String statusLine = statusLine(outgoing);
    int status = status(statusLine);
    while (status < 200) {
      headers(outgoing);
      statusLine = statusLine(outgoing);
      status = status(statusLine);
    }
    Map<String, String> headers = headers(outgoing);
    boolean framed = headers.containsKey("content-length") ^ headers.containsKey("transfer-encoding");
    boolean bodiless = status == 204 || status == 304;
    byte[] body = bodiless ? NOTHING : body(outgoing, headers);
    // TLS is not kept: what its server says in between (session tickets) could not be told from an answer.
    reusable =
        (framed || bodiless)
            && statusLine.startsWith("HTTP/1.1 ")
            && !headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT).contains("close")
            && at == end
            && !origin.isSecure();
    return new Answer.Received(status, body, Optional.ofNullable(headers.get("location")));
  }

  private String statusLine(Outgoing outgoing) throws IOException {
    String line = line(outgoing);
    if (!STATUS_LINE.matcher(line).matches()) {
      throw new ProtocolException("not an HTTP/1 response");
    }
    return line;
  }

  private static int status(String statusLine) {
    return Integer.parseInt(statusLine.substring(9, 12));
  }

  private Map<String, String> headers(Outgoing outgoing) throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = line(outgoing); !line.isEmpty(); line = line(outgoing)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        // Several lengths would let two readers see two ends (RFC 9112, section 6.3).
        headers.merge(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip(), (a, b) -> a + "," + b);
      }
    }
    return headers;
  }

  private byte[] body(Outgoing outgoing, Map<String, String> headers) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
      chunks(outgoing, body);
      return body.toByteArray();
    }
    String length = headers.get("content-length");
    if (length == null) {
      upTo(outgoing, outgoing.mostBytes() + 1, body);
      bounded(body.size(), outgoing);
    } else {
      exactly(outgoing, size(length, 10, outgoing), body);
    }
    return body.toByteArray();
  }

  private void chunks(Outgoing outgoing, ByteArrayOutputStream body) throws IOException {
    while (true) {
      int size = size(line(outgoing).replaceFirst(";.*", "").strip(), 16, outgoing);
      if (size == 0) {
        headers(outgoing);
        return;
      }
      bounded((long) body.size() + size, outgoing);
      exactly(outgoing, size, body);
      if (!line(outgoing).isEmpty()) {
        throw new ProtocolException("a chunk is longer than it says");
      }
    }
  }

  private static int size(String text, int radix, Outgoing outgoing) throws ProtocolException {
    try {
      long size = Long.parseLong(text, radix);
      if (size < 0) {
        throw new ProtocolException("a length is negative");
      }
      return bounded(size, outgoing);
    } catch (NumberFormatException e) {
      throw new ProtocolException("a length is not a number");
    }
  }

  private static int bounded(long bytes, Outgoing outgoing) throws ProtocolException {
    if (bytes > outgoing.mostBytes()) {
      throw new ProtocolException("the body exceeds " + outgoing.mostBytes() + " bytes");
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

  /** Each read has what is left of the one deadline. */
  private boolean fill(Outgoing outgoing) throws IOException {
    socket.setSoTimeout(millisLeft(outgoing));
    at = 0;
    end = Math.max(0, in.read(buffer));
    answered |= end > 0;
    return end > 0;
  }

  /** One line of a head, without its end. */
  private String line(Outgoing outgoing) throws IOException {
    StringBuilder line = new StringBuilder();
    while (at < end || fill(outgoing)) {
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

  private void exactly(Outgoing outgoing, int bytes, ByteArrayOutputStream to) throws IOException {
    int before = to.size();
    upTo(outgoing, bytes, to);
    if (to.size() - before < bytes) {
      throw new ProtocolException("the response ends too early");
    }
  }

  private void upTo(Outgoing outgoing, int bytes, ByteArrayOutputStream to) throws IOException {
    int left = bytes;
    while (left > 0 && (at < end || fill(outgoing))) {
      int taken = Math.min(left, end - at);
      to.write(buffer, at, taken);
      at += taken;
      left -= taken;
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
      channel.close();
    } catch (IOException e) {
      // It is gone either way.
      return;
    }
  }
}
