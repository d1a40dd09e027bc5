package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.cache.CachedBody;
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

  private final Http2ClientConnection connection;
  private final Http2Stream stream;
  private final @Nullable RequestHead head;
  private final Http2ResponseWriter writer;
  private final AccessEntry entry;
  private final Http2RequestBody body;

  private @Nullable Exchange exchange;
  private @Nullable Exchange undecided;
  private @Nullable Exchange postponed;
  private @Nullable Http2Headers trailerHeaders;

  /** @param head null if it is malformed; the stream then only sends a reply */
  Http2ClientStream(Http2ClientConnection connection, Http2Stream stream, @Nullable RequestHead head, boolean last) {
    this.connection = connection;
    this.stream = stream;
    this.head = head;
    this.writer = new Http2ResponseWriter(connection, stream, this::writable);
    this.body = new Http2RequestBody(connection, stream, head, last);
    this.entry = connection.newEntry(head);
  }

  /**
   * Begins the exchange. If Content-Length is 0 but the stream is still open, the exchange begins only when the stream
   * ends without data.
   */
  void begin(Exchange begun) {
    boolean empty = head != null && head.framing() instanceof BodyFraming.Length(long bytes) && bytes == 0;
    if (empty && !body.hasEnded()) {
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
    if (begun != null && body.hasEnded()) {
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
    int window = data.readableBytes() + padding;
    if (!body.accept(data.readableBytes(), last)) {
      malformed(Malformation.LENGTH_OF_DATA);
      return window;
    }
    beginAfterAll();
    return exchange == null && postponed == null ? window : body.received(data, padding);
  }

  /** Takes the trailer fields; a defect in them makes the request malformed. */
  void trailers(Http2Trailers fields) throws Http2Exception {
    if (!body.accept(0, true) || fields.malformation() != null) {
      malformed(Optional.ofNullable(fields.malformation()).orElse(Malformation.LENGTH_OF_DATA));
      return;
    }
    beginAfterAll();
    body.trailers(fields.fields());
  }

  @Override
  public void receiveBody() {
    if (exchange != null && head != null) {
      if (head.expectsContinue() && body.isOutstanding()) {
        writer.interim(Http2ResponseHeads.continue100());
      }
      body.receive(exchange);
    }
  }

  @Override
  public void pauseBody(boolean stop) {
    body.pause(stop);
  }

  @Override
  public void interim(ResponseHead response) {
    writer.interim(Http2ResponseHeads.interim(response));
  }

  @Override
  public void head(ResponseHead response, ResponseEdits edits) {
    entry.status(response.status());
    writer.head(Http2ResponseHeads.proxied(response, edits, entry.requestId()));
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
    writer.head(Http2ResponseHeads.own(reply, connection.loop().date(), entry.requestId()));
    boolean toHead = head != null && head.isHead();
    if (!toHead && ResponseHeads.mayHaveBody(reply.status())) {
      entry.sent(reply.body().length);
      writer.data(Unpooled.wrappedBuffer(reply.body()));
    }
    finished(writer.end(null));
  }

  /**
   * Ends the exchange. A client that is still sending is asked to stop once it has the response (RFC 9113, section 8.1).
   */
  private void finished(ChannelFuture sent) {
    connection.loop().log(entry);
    exchange = null;
    body.discard();
    if (!body.hasEnded()) {
      sent.addListener(
          done -> {
            if (!body.hasEnded() && !isGone()) {
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
    writer.discard();
    body.discard();
    if (!isGone()) {
      connection.reset(stream, error);
    }
  }

  /** Resets the stream because the request is malformed, and cancels the request to the app. */
  void malformed(Malformation malformation) throws Http2Exception {
    entry.status(malformation.status());
    entry.refused(malformation.name());
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
    writer.discard();
    body.release();
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
    return isCrowded() || !connection.streams().mayReceive(stream) ? BoundedReceive.SMALL : BoundedReceive.USUAL;
  }

  @Override
  public void shares(CachedBody body) {
    writer.shares(body);
  }

  @Override
  public void stored(AgedResponse response, ResponseEdits edits) {
    writer.uncounted();
    shares(response.shared());
    entry.status(response.head().status());
    writer.head(Http2ResponseHeads.stored(response, edits, entry.requestId()));
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
    boolean late = body.isLate(now);
    writer.check();
    if (writer.isStuck(now)) {
      int unread = writer.waiting();
      closed();
      connection.reset(stream, Http2Error.CANCEL);
      return unread;
    }
    if (late && body.isAwaited() && exchange != null) {
      body.stop();
      exchange.bodyFailed(Refusal.requestTimeout());
    } else if (late && undecided != null) {
      closed();
      connection.reset(stream, Http2Error.CANCEL);
    }
    return 0;
  }
}
