package dev.gatehouse.gateway.netty;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sends exactly the HTTP/2 frames that a test says, and reads what comes back. */
public final class RawHttp2 implements AutoCloseable {

  static final int DATA = 0;
  public static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  public static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  public static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int ACK = 1;
  public static final int END_HEADERS = 4;

  static final int NO_ERROR = 0;
  static final int PROTOCOL_ERROR = 1;
  static final int REFUSED_STREAM = 7;
  static final int CANCEL = 8;
  static final int ENHANCE_YOUR_CALM = 11;

  record Frame(int type, int flags, int stream, byte[] payload) {
    boolean ends() {
      return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
    }

    int number() {
      return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
    }
  }

  /**
   * @param status 0 where there was no head
   * @param reset the error with which the stream was reset
   */
  record Response(
      int status, List<String> fields, String body, List<String> trailers, List<Integer> interim, Optional<Integer> reset) {
    Optional<String> field(String name) {
      return fields.stream().filter(f -> f.startsWith(name + ": ")).map(f -> f.substring(name.length() + 2)).findFirst();
    }
  }

  /** What has arrived for a stream so far. */
  private static final class Arrived {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final List<String> fields = new ArrayList<>();
    private final List<String> trailers = new ArrayList<>();
    private final List<Integer> interim = new ArrayList<>();
    private int status;
    private boolean over;
    private Optional<Integer> reset = Optional.empty();

    private Response response() {
      return new Response(status, fields, body.toString(StandardCharsets.ISO_8859_1), trailers, interim, reset);
    }
  }

  private final Socket socket;
  private final DataInputStream in;
  private final DefaultHttp2HeadersDecoder hpack = new DefaultHttp2HeadersDecoder(false, 1_000_000);
  private final Map<Integer, Arrived> streams = new LinkedHashMap<>();
  private boolean crediting = true;
  private Optional<Integer> goAway = Optional.empty();

  RawHttp2(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(20_000);
    socket.setTcpNoDelay(true);
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  /** With the preface and the given settings, as identifiers and values in turn. */
  static RawHttp2 connect(int port, int... settings) throws IOException {
    return new RawHttp2(new Socket("127.0.0.1", port)).preface(settings);
  }

  RawHttp2 preface(int... settings) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(settings.length * 3);
    for (int i = 0; i < settings.length; i += 2) {
      payload.putShort((short) settings[i]).putInt(settings[i + 1]);
    }
    byte[] text = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    return send(text).frame(SETTINGS, 0, 0, payload.array());
  }

  /** From now on no window is opened again. */
  RawHttp2 withoutCredit() {
    crediting = false;
    return this;
  }

  RawHttp2 send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  RawHttp2 frame(int type, int flags, int stream, byte[] payload) throws IOException {
    return send(bytes(type, flags, stream, payload));
  }

  public static byte[] bytes(int type, int flags, int stream, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    return frame.put((byte) type).put((byte) flags).putInt(stream).put(payload).array();
  }

  static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  /** Names and values in turn, literally and without compression. */
  static byte[] block(String... fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < fields.length; i += 2) {
      out.write(0);
      text(out, fields[i]);
      text(out, fields[i + 1]);
    }
    return out.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, String latin1) {
    byte[] bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length < 127) {
      out.write(bytes.length);
    } else {
      out.write(127);
      int rest = bytes.length - 127;
      for (; rest >= 128; rest >>= 7) {
        out.write(rest & 127 | 128);
      }
      out.write(rest);
    }
    out.writeBytes(bytes);
  }

  /** The fields of a request to the app, and these. */
  static String[] request(String method, String path, String... more) {
    List<String> fields =
        new ArrayList<>(
            List.of(":method", method, ":scheme", "http", ":authority", "app.localhost", ":path", path));
    fields.addAll(List.of(more));
    return fields.toArray(new String[0]);
  }

  RawHttp2 headers(int stream, boolean last, String... fields) throws IOException {
    return frame(HEADERS, END_HEADERS | (last ? END_STREAM : 0), stream, block(fields));
  }

  RawHttp2 get(int stream, String path, String... more) throws IOException {
    return headers(stream, true, request("GET", path, more));
  }

  RawHttp2 data(int stream, boolean last, String text) throws IOException {
    return data(stream, last, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  RawHttp2 data(int stream, boolean last, byte[] bytes) throws IOException {
    return frame(DATA, last ? END_STREAM : 0, stream, bytes);
  }

  /** The next frame; what it means for its stream is taken note of. */
  Frame read() throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = new byte[length];
    in.readFully(payload);
    Frame frame = new Frame(type, flags, stream, payload);
    note(frame);
    return frame;
  }

  private void note(Frame frame) throws IOException {
    if (frame.type() == SETTINGS && (frame.flags() & ACK) == 0) {
      answer(SETTINGS, ACK, 0, new byte[0]);
    } else if (frame.type() == GOAWAY) {
      goAway = Optional.of(frame.number());
    }
    if (frame.stream() == 0) {
      return;
    }
    Arrived arrived = streams.computeIfAbsent(frame.stream(), id -> new Arrived());
    arrived.over |= frame.ends();
    switch (frame.type()) {
      case DATA -> {
        arrived.body.writeBytes(frame.payload());
        if (crediting && frame.payload().length > 0) {
          answer(WINDOW_UPDATE, 0, 0, number(frame.payload().length));
          answer(WINDOW_UPDATE, 0, frame.stream(), number(frame.payload().length));
        }
      }
      case HEADERS -> head(frame, arrived);
      case RST_STREAM -> {
        arrived.reset = Optional.of(frame.number());
        arrived.over = true;
      }
      default -> {}
    }
  }

  /** The server may have closed behind what it sent. */
  private void answer(int type, int flags, int stream, byte[] payload) throws IOException {
    try {
      frame(type, flags, stream, payload);
    } catch (SocketException e) {
      crediting = false;
    }
  }

  private void head(Frame frame, Arrived arrived) throws IOException {
    try {
      Http2Headers headers = hpack.decodeHeaders(frame.stream(), Unpooled.wrappedBuffer(frame.payload()));
      int status = headers.status() == null ? 0 : Integer.parseInt(headers.status().toString());
      if (status >= 100 && status < 200) {
        arrived.interim.add(status);
        return;
      }
      List<String> to = arrived.status == 0 ? arrived.fields : arrived.trailers;
      arrived.status = arrived.status == 0 ? status : arrived.status;
      headers.forEach(field -> to.add(field.getKey() + ": " + field.getValue()));
    } catch (Http2Exception e) {
      throw new IOException(e);
    }
  }

  /** The whole response, or how it was reset. */
  Response response(int stream) throws IOException {
    while (!streams.computeIfAbsent(stream, id -> new Arrived()).over) {
      read();
    }
    return soFar(stream);
  }

  /** What is here of the response. */
  Response soFar(int stream) {
    return streams.computeIfAbsent(stream, id -> new Arrived()).response();
  }

  /** Reads on until a frame of that type comes for the stream. */
  Frame await(int type, int stream) throws IOException {
    while (true) {
      Frame frame = read();
      if (frame.type() == type && frame.stream() == stream) {
        return frame;
      }
    }
  }

  /** Reads until the server closes, and says with which error it went away. */
  Optional<Integer> untilClosed() throws IOException {
    try {
      while (true) {
        read();
      }
    } catch (EOFException | SocketException e) {
      return goAway;
    }
  }

  Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
