package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.exchange.Exchange;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Http2Trailers;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.codec.ResponseHeads;
import dev.gatehouse.gateway.netty.loop.BoundedReceive;
import dev.gatehouse.gateway.netty.loop.MinimumRate;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.stream.RequestCount;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One request of an HTTP/2 client, and its response. */
final class Http2ClientStream implements ClientStream {

  private static final int PART = 32 * 1024;

  private enum State {
    /** The body has not been asked for. */
    HEAD_READ,
    /** The body is being passed to the exchange. */
    BODY,
    /** The request was read completely, or the rest is not wanted. */
    RECEIVED
  }

  private final Http2ClientConnection connection;
  private final Http2Stream stream;
  private final @Nullable RequestHead head;
  private final Http2ResponseWriter writer;
  private final MinimumRate bodyRate;
  private final AccessEntry entry;
  private final Http2BodyBuffer waiting;
  private final DataLength length;

  private State state;
  private @Nullable Exchange exchange;
  private @Nullable Exchange undecided;
  private @Nullable Exchange postponed;
  private @Nullable Fields trailers;
  private @Nullable Http2Headers trailerHeaders;
  private boolean paused;
  private boolean touched;
  private boolean lastArrived;

  /** @param head null if it is malformed; the stream then only sends a reply */
  Http2ClientStream(Http2ClientConnection connection, Http2Stream stream, @Nullable RequestHead head, boolean last) {
    this.connection = connection;
    this.stream = stream;
    this.head = head;
    this.lastArrived = last;
    this.state = head == null || !head.hasBody() ? State.RECEIVED : State.HEAD_READ;
    this.length = new DataLength(head);
    this.writer = new Http2ResponseWriter(connection, stream, this::writable);
    this.bodyRate = new MinimumRate(connection.bodies());
    this.waiting = new Http2BodyBuffer(connection, stream);
    this.entry = connection.newEntry(head);
  }

  /**
   * Begins the exchange. If Content-Length is 0 but the stream is still open, the exchange begins only when the stream
   * ends without data.
   */
  void begin(Exchange begun) {
    boolean empty = head != null && head.framing() instanceof BodyFraming.Length(long bytes) && bytes == 0;
    if (empty && !lastArrived) {
      undecided = begun;
      return;
    }
    exchange = begun;
    begun.begin();
  }

  /** The exchange begins with {@link #beginPostponed}; data that arrives before waits. */
  void postpone(Exchange exchange) {
    postponed = exchange;
  }

  void beginPostponed() {
    Exchange begun = postponed;
    postponed = null;
    if (begun != null) {
      begin(begun);
    }
  }

  private void beginAfterAll() {
    Exchange begun = undecided;
    if (begun != null && lastArrived) {
      undecided = null;
      begin(begun);
    }
  }

  /**
   * Takes a DATA frame.
   *
   * @return bytes of the window to credit at once
   */
  int received(ByteBuf data, int padding, boolean last) throws Http2Exception {
    int bytes = data.readableBytes();
    lastArrived |= last;
    bodyRate.arrived(bytes, System.nanoTime());
    if (!length.accept(bytes, last)) {
      malformed(Malformation.LENGTH_OF_DATA);
      return bytes + padding;
    }
    beginAfterAll();
    Exchange to = exchange;
    if (state == State.RECEIVED || to == null && postponed == null) {
      return bytes + padding;
    }
    if (to != null && state == State.BODY && !paused && waiting.isEmpty()) {
      if (bytes > 0) {
        touch();
        to.data(data.retainedSlice());
      }
      if (lastArrived) {
        endBody();
      }
      return bytes + padding;
    }
    waiting.add(data, bytes + padding);
    return 0;
  }

  /** Takes the trailer fields; a defect in them makes the request malformed. */
  void trailers(Http2Trailers fields) throws Http2Exception {
    lastArrived = true;
    if (!length.accept(0, true) || fields.malformation() != null) {
      malformed(Optional.ofNullable(fields.malformation()).orElse(Malformation.LENGTH_OF_DATA));
      return;
    }
    trailers = fields.fields();
    beginAfterAll();
    if (state == State.BODY && !paused && waiting.isEmpty()) {
      endBody();
    }
  }

  private void endBody() {
    Exchange to = exchange;
    if (state == State.BODY) {
      state = State.RECEIVED;
      touch();
      if (to != null && trailers != null) {
        to.trailers(trailers);
      }
      if (to != null) {
        to.bodyEnd();
      }
    }
  }

  /** Passes on the buffered data. */
  private void deliver() {
    if (state != State.BODY || paused) {
      return;
    }
    ByteBuf kept = waiting.take();
    Exchange to = exchange;
    if (kept != null && to != null && kept.isReadable()) {
      touch();
      to.data(kept);
    } else if (kept != null) {
      kept.release();
    }
    waiting.credit();
    if (lastArrived && !paused) {
      endBody();
    }
    readComplete();
  }

  private void touch() {
    if (!touched) {
      touched = true;
      connection.touch(this);
    }
  }

  void readComplete() {
    touched = false;
    if (exchange != null) {
      exchange.readComplete();
    }
  }

  @Override
  public void receiveBody() {
    if (state != State.HEAD_READ || head == null) {
      return;
    }
    state = State.BODY;
    bodyRate.restart(System.nanoTime());
    if (head.expectsContinue() && waiting.isEmpty() && !lastArrived) {
      writer.interim(Http2ResponseHeads.continue100());
    }
    deliver();
  }

  @Override
  public void pauseBody(boolean stop) {
    if (paused != stop) {
      paused = stop;
      bodyRate.restart(System.nanoTime());
      deliver();
    }
  }

  @Override
  public void interim(ResponseHead response) {
    writer.interim(Http2ResponseHeads.interim(response));
  }

  @Override
  public void head(ResponseHead response, ResponseEdits edits) {
    entry.status(response.status());
    writer.head(Http2ResponseHeads.proxied(response, edits));
  }

  @Override
  public void data(ByteBuf data) {
    entry.sent(data.readableBytes());
    // The data is sent in parts, so that the progress of a slow client is visible for a body that is written at once.
    while (data.readableBytes() > PART) {
      writer.data(data.readRetainedSlice(PART));
    }
    writer.data(data);
  }

  @Override
  public void flush() {
    writer.flush();
  }

  @Override
  public void trailers(Fields fields) {
    if (head != null && head.takesTrailers()) {
      trailerHeaders = Http2ResponseHeads.trailers(fields);
    }
  }

  @Override
  public void end() {
    finished(writer.end(trailerHeaders));
  }

  @Override
  public AccessEntry entry() {
    return entry;
  }

  @Override
  public void reply(EdgeReply reply) {
    if (isGone()) {
      return;
    }
    entry.status(reply.status());
    writer.head(Http2ResponseHeads.own(reply, connection.loop().date()));
    boolean toHead = head != null && head.isHead();
    if (!toHead && ResponseHeads.mayHaveBody(reply.status())) {
      entry.sent(reply.body().length);
      writer.data(Unpooled.wrappedBuffer(reply.body()));
    }
    finished(writer.end(null));
  }

  /**
   * Ends the exchange. A client that is still sending is told to stop once it has the response (RFC 9113, section 8.1).
   */
  private void finished(ChannelFuture sent) {
    connection.loop().log(entry);
    exchange = null;
    state = State.RECEIVED;
    waiting.release();
    waiting.credit();
    if (!lastArrived) {
      sent.addListener(
          done -> {
            if (!lastArrived && !isGone()) {
              connection.reset(stream, Http2Error.NO_ERROR);
            }
          });
    }
  }

  @Override
  public void abort() {
    giveUp(Http2Error.INTERNAL_ERROR);
  }

  /** Refuses the stream. No part of the request reached an app, so the client may repeat it (RFC 9113, section 8.7). */
  @Override
  public boolean refuse() {
    entry.status(503);
    giveUp(Http2Error.REFUSED_STREAM);
    return true;
  }

  private void giveUp(Http2Error error) {
    connection.loop().log(entry);
    exchange = null;
    state = State.RECEIVED;
    writer.discard();
    waiting.release();
    waiting.credit();
    if (!isGone()) {
      connection.reset(stream, error);
    }
  }

  /** Resets the stream because the request is malformed, and cancels the request to the app. */
  void malformed(Malformation malformation) throws Http2Exception {
    entry.status(malformation.status());
    entry.refused(malformation.name(), "");
    closed();
    connection.reset(stream, malformation);
  }

  /** Called when the stream has ended, from either side. */
  void closed() {
    connection.loop().log(entry);
    Exchange running = exchange;
    exchange = null;
    undecided = null;
    postponed = null;
    state = State.RECEIVED;
    writer.discard();
    waiting.release();
    if (running != null) {
      running.closed();
    }
  }

  private boolean isGone() {
    return stream.state() == Http2Stream.State.CLOSED || !connection.context().channel().isActive();
  }

  @Override
  public boolean isWritable() {
    return writer.isWritable();
  }

  @Override
  public RequestCount requestCount() {
    return connection.requests();
  }

  @Override
  public boolean isCrowded() {
    return connection.isCrowded();
  }

  @Override
  public int readSize() {
    return isCrowded() || !connection.mayReceive(stream) ? BoundedReceive.SMALL : BoundedReceive.USUAL;
  }

  @Override
  public void stored(AgedResponse response, ResponseEdits edits) {
    writer.share();
    entry.status(response.head().status());
    writer.head(Http2ResponseHeads.stored(response, edits));
    data(Unpooled.wrappedBuffer(response.body()));
    end();
  }

  private void writable() {
    if (exchange != null) {
      exchange.writable();
    }
  }

  /**
   * Checks the minimum rates, and resets the stream if the client reads too slowly.
   *
   * @return the bytes that waited for the client if the stream was reset, otherwise 0
   */
  int check(long now) {
    if (connection.isInflowFull()) {
      // Other streams have used up the connection's window; this stream cannot continue and is not at fault.
      bodyRate.restart(now);
    }
    if (writer.isStuck(now)) {
      int unread = writer.waiting();
      closed();
      connection.reset(stream, Http2Error.CANCEL);
      return unread;
    }
    if (state == State.BODY && !paused && !lastArrived && bodyRate.isOver(now) && exchange != null) {
      state = State.RECEIVED;
      exchange.bodyFailed(Refusal.requestTimeout());
    } else if (undecided != null && bodyRate.isOver(now)) {
      closed();
      connection.reset(stream, Http2Error.CANCEL);
    }
    return 0;
  }
}
