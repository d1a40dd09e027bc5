package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Http2Trailers;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request of an HTTP/2 client, and its response.
 */
final class Http2ClientStream implements ClientStream {

  private static final int PART = 32 * 1024;

  private enum State {
    /** Nobody has asked for the body. */
    HELD,
    /** The body is being handed over. */
    BODY,
    /** The request was read to its end, or nobody wants the rest. */
    RECEIVED
  }

  private final Http2ClientConnection connection;
  private final Http2Stream stream;
  private final @Nullable RequestHead head;
  private final Http2ResponseWriter writer;
  private final MinimumRate pace;
  private final AccessEntry entry;
  private final Http2BodyBuffer waiting;
  private final DataLength length;

  private State state;
  private @Nullable Exchange exchange;
  private @Nullable Exchange unsure;
  private @Nullable Fields trailers;
  private @Nullable Http2Headers behind;
  private boolean paused;
  private boolean touched;
  private boolean lastArrived;

  /** @param head nothing where it is malformed: then it only ever gets a reply */
  Http2ClientStream(Http2ClientConnection connection, Http2Stream stream, @Nullable RequestHead head, boolean last) {
    this.connection = connection;
    this.stream = stream;
    this.head = head;
    this.lastArrived = last;
    this.state = head == null || !head.hasBody() ? State.RECEIVED : State.HELD;
    this.length = new DataLength(head);
    this.writer = new Http2ResponseWriter(connection, stream, this::writable);
    this.pace = new MinimumRate(connection.bodies());
    this.waiting = new Http2BodyBuffer(connection, stream);
    this.entry = connection.newEntry(head);
  }

  /** Where the client says that no body comes, and goes on sending, nobody hears of the request before that is true. */
  void begin(Exchange begun) {
    boolean empty = head != null && head.framing() instanceof BodyFraming.Length(long bytes) && bytes == 0;
    if (empty && !lastArrived) {
      unsure = begun;
      return;
    }
    exchange = begun;
    begun.begin();
  }

  private void beginAfterAll() {
    Exchange begun = unsure;
    if (begun != null && lastArrived) {
      unsure = null;
      begin(begun);
    }
  }

  /** A DATA frame; returns how many bytes of credit the client gets back at once. */
  int received(ByteBuf data, int padding, boolean last) throws Http2Exception {
    int bytes = data.readableBytes();
    lastArrived |= last;
    pace.arrived(bytes, System.nanoTime());
    if (!length.takes(bytes, last)) {
      malformed(Malformation.LENGTH_OF_DATA);
      return bytes + padding;
    }
    beginAfterAll();
    Exchange to = exchange;
    if (state == State.RECEIVED || to == null) {
      return bytes + padding;
    }
    if (state == State.BODY && !paused && waiting.isEmpty()) {
      if (bytes > 0) {
        touch();
        to.data(data.retainedSlice());
      }
      if (lastArrived) {
        endBody();
      }
      return bytes + padding;
    }
    waiting.keep(data, bytes + padding);
    return 0;
  }

  /** The fields behind the body; what is wrong with them is wrong with the request. */
  void trailers(Http2Trailers fields) throws Http2Exception {
    lastArrived = true;
    if (!length.takes(0, true) || fields.malformation() != null) {
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

  /** Hands over what has waited. */
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
    if (state != State.HELD || head == null) {
      return;
    }
    state = State.BODY;
    pace.restart(System.nanoTime());
    if (head.expectsContinue() && waiting.isEmpty() && !lastArrived) {
      writer.interim(Http2ResponseHeads.goOn());
    }
    deliver();
  }

  @Override
  public void pauseBody(boolean stop) {
    if (paused != stop) {
      paused = stop;
      pace.restart(System.nanoTime());
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
    // In parts, so that it is seen how far a slow client has come with a body that is there as a whole.
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
      behind = Http2ResponseHeads.trailers(fields);
    }
  }

  @Override
  public void end() {
    finished(writer.end(behind));
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

  /** Where the client is still sending it is told to stop, once it has the response (RFC 9113, section 8.1). */
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

  /** Nothing of it reached an app: the client may repeat it (RFC 9113, section 8.7). */
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

  /** What the client says cannot be true: the stream is reset, and the app's request with it. */
  void malformed(Malformation malformation) throws Http2Exception {
    entry.status(malformation.status());
    entry.refused(malformation.name(), "");
    closed();
    connection.reset(stream, malformation);
  }

  /** The stream has ended, whoever ended it. */
  void closed() {
    connection.loop().log(entry);
    Exchange running = exchange;
    exchange = null;
    unsure = null;
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

  /** Resets the stream where the client takes too little of it; returns how many bytes waited for it then, and else 0. */
  int check(long now) {
    if (connection.isInflowFull()) {
      // Other streams hold what the client may send: this one cannot go on, and is not to blame.
      pace.restart(now);
    }
    if (writer.isStuck(now)) {
      int unread = writer.waiting();
      closed();
      connection.reset(stream, Http2Error.CANCEL);
      return unread;
    }
    if (state == State.BODY && !paused && !lastArrived && pace.isOver(now) && exchange != null) {
      state = State.RECEIVED;
      exchange.bodyFailed(Refusal.requestTimeout());
    } else if (unsure != null && pace.isOver(now)) {
      closed();
      connection.reset(stream, Http2Error.CANCEL);
    }
    return 0;
  }
}
