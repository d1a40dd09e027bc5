package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sends exactly the bytes that a test says and reads responses by the letter. */
final class RawClient implements AutoCloseable {

  /** @param complete whether the body ended as its framing said it would */
  record Response(int status, List<String> fields, String body, boolean complete) {
    Optional<String> field(String name) {
      return fields.stream()
          .filter(f -> f.regionMatches(true, 0, name + ":", 0, name.length() + 1))
          .map(f -> f.substring(name.length() + 1).strip())
          .findFirst();
    }
  }

  private final Socket socket;
  private final InputStream in;
  private final List<String> trailers = new ArrayList<>();
  private String requestId = "";

  RawClient(int port) throws IOException {
    this(new Socket("127.0.0.1", port));
  }

  RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(20_000);
    socket.setTcpNoDelay(true);
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  Socket socket() {
    return socket;
  }

  /** Latin-1, so that every byte can be written. */
  RawClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** A GET with that path and these further lines. */
  RawClient get(String path, String... lines) throws IOException {
    String more = lines.length == 0 ? "" : String.join("\r\n", lines) + "\r\n";
    return send("GET " + path + " HTTP/1.1\r\nHost: app.localhost\r\n" + more + "\r\n");
  }

  /** Reads up to and with that text. */
  RawClient await(String text) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(text) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("before " + text);
      }
      read.append((char) next);
    }
    return this;
  }

  Response read() throws IOException {
    return read(false);
  }

  Response read(boolean toHead) throws IOException {
    String statusLine = line();
    int status = Integer.parseInt(statusLine.substring(9, 12));
    List<String> fields = new ArrayList<>();
    requestId = "";
    for (String field = line(); !field.isEmpty(); field = line()) {
      if (field.startsWith("X-Request-Id: ")) {
        assertThat(requestId).as("one id").isEmpty();
        requestId = field.substring(14);
      } else {
        fields.add(field);
      }
    }
    // Final responses have it, so that tests of other fields need not name it.
    assertThat(requestId.isEmpty() || status >= 200 || status == 101).isTrue();
    Response head = new Response(status, fields, "", true);
    if (toHead || status < 200 || status == 204 || status == 304) {
      return head;
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    boolean complete = true;
    try {
      if (head.field("Transfer-Encoding").isPresent()) {
        chunks(body);
      } else if (head.field("Content-Length").isPresent()) {
        copy(body, Long.parseLong(head.field("Content-Length").get()));
      } else {
        in.transferTo(body);
      }
    } catch (EOFException e) {
      complete = false;
    }
    return new Response(status, fields, body.toString(StandardCharsets.ISO_8859_1), complete);
  }

  /** Whatever has come, and no more than {@code most}; -1 where the server has closed. */
  int read(byte[] part, int most) throws IOException {
    return in.read(part, 0, most);
  }

  /** The id in the head that was read last. */
  String requestId() {
    return requestId;
  }

  /** All fields that came behind bodies. */
  List<String> trailers() {
    return trailers;
  }

  /** Returns whether the server has closed; waits for it. */
  boolean isClosed() throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketException e) {
      return true;
    }
  }

  /** What comes until these characters have come, with them. */
  String until(String end) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.length() < end.length() || !read.substring(read.length() - end.length()).equals(end)) {
      int b = in.read();
      if (b < 0) {
        throw new EOFException(read.toString());
      }
      read.append((char) b);
    }
    return read.toString();
  }

  /** Everything that still comes until the server closes. */
  String rest() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private void chunks(ByteArrayOutputStream body) throws IOException {
    while (true) {
      int size = Integer.parseInt(line(), 16);
      copy(body, size);
      String end = line();
      for (; size == 0 && !end.isEmpty(); end = line()) {
        trailers.add(end);
      }
      if (!end.isEmpty()) {
        throw new IOException("a chunk does not end: " + end);
      }
      if (size == 0) {
        return;
      }
    }
  }

  private void copy(ByteArrayOutputStream to, long count) throws IOException {
    byte[] part = in.readNBytes((int) count);
    to.writeBytes(part);
    if (part.length < count) {
      throw new EOFException();
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException(line.toString(StandardCharsets.ISO_8859_1));
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
