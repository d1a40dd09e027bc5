package dev.gatehouse.gateway.netty.http1;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.cache.CachedBody;
import dev.gatehouse.gateway.exchange.EdgeRequests;
import dev.gatehouse.gateway.exchange.Exchange;
import dev.gatehouse.gateway.exchange.ExchangeServices;
import dev.gatehouse.gateway.exchange.Exchanges;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.codec.ResponseHeads;
import dev.gatehouse.gateway.netty.loop.BlockingTasks;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.MinimumRate;
import dev.gatehouse.gateway.netty.websocket.TunnelEnd;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.ClientConnection;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.stream.RequestCount;
import dev.gatehouse.gateway.upstream.Demand;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one HTTP/1.1 client, one after the other, each with an exchange of its own, and their responses in the
 * same order. After each response the connection is kept for the next request or closed.
 */
final class Http1ClientStream implements ClientStream, RequestReader.Listener {

  private final Exchanges exchanges;
  private final ExchangeServices services;
  private final GatewayEventLoop loop;
  private final ClientConnection client;
  private final ChannelHandlerContext context;
  private final ResponseWriter writer;
  private final RequestReader reader;
  private final DecisionMemo memo;
  private final AccessEntry entry = new AccessEntry();
  private final RequestCount requests;

  private @Nullable RequestHead head;
  private @Nullable Exchange exchange;
  private @Nullable String tls;
  private boolean closing;
  private boolean endsWhenSent;

  Http1ClientStream(ChannelHandlerContext context, Exchanges exchanges, ClientConnection client) {
    this.exchanges = exchanges;
    this.services = exchanges.services();
    this.loop = exchanges.loop();
    this.client = client;
    this.memo = new DecisionMemo(!client.isPeerTrusted(), client::clientHello);
    this.context = context;
    this.requests = new RequestCount(client.ofAddress());
    NodeLimits limits = services.limits();
    this.writer = new ResponseWriter(context, loop, new MinimumRate(limits.times().write(), limits.flow().minRate()));
    this.reader = new RequestReader(context, writer, services, this);
  }

  RequestReader reader() {
    return reader;
  }

  ResponseWriter writer() {
    return writer;
  }

  @Override
  public void begin(RequestHead parsed, long arrived) {
    String id = loop.requestId(parsed, client.isPeerTrusted());
    entry.begin(parsed, client.peer(), parsed.minorVersion() == 1 ? "HTTP/1.1" : "HTTP/1.0", tlsVersion(), arrived, id);
    loop.trace(entry, parsed, client.isPeerTrusted());
    head = parsed;
    closing |= !parsed.keepAlive();
    Exchange next = exchanges.create(this, client, memo, parsed);
    exchange = next;
    if (requests.demand() == Demand.FEW) {
      next.begin();
      return;
    }
    loop.fairQueue()
        .begin(
            requests.address(),
            context.channel(),
            () -> {
              // The client may have left meanwhile.
              if (exchange == next) {
                next.begin();
              }
            });
  }

  /** Answers and closes. */
  @Override
  public void unreadable(Refusal refusal, long arrived) {
    closing = true;
    head = null;
    entry.begin(null, client.peer(), "HTTP/1.1", tlsVersion(), arrived, loop.requestId(null, false));
    loop.trace(entry, null, false);
    BlockingTasks.call(
        loop.executor(),
        () ->
            services
                .refusals()
                .reply(EdgeRequests.unreadable(client), Optional.empty(), refusal, "-", entry),
        this::reply,
        fault -> abort());
  }

  private String tlsVersion() {
    if (tls == null) {
      SslHandler handler = context.pipeline().get(SslHandler.class);
      tls = handler == null ? "" : handler.engine().getSession().getProtocol();
    }
    return tls;
  }

  @Override
  public void receiveBody() {
    if (exchange != null) {
      reader.receiveBody(exchange);
    }
  }

  @Override
  public void pauseBody(boolean stop) {
    reader.pauseBody(stop);
  }

  @Override
  public void interim(ResponseHead response) {
    if (head != null && head.minorVersion() == 1) {
      writer.interim(response);
    }
  }

  @Override
  public void head(ResponseHead response, ResponseEdits edits) {
    boolean oldClient = head == null || head.minorVersion() == 0;
    closing |= !reader.isComplete() || loop.isEnding();
    entry.status(response.status());
    writer.head(response, edits, oldClient, closing, entry.requestId());
  }

  @Override
  public void shares(CachedBody body) {
    writer.shares(body);
  }

  /** For a connection that stays open, a complete page is one encoded head and one shared body. */
  @Override
  public void stored(AgedResponse response, ResponseEdits edits) {
    RequestHead asked = head;
    boolean usual = asked != null && asked.minorVersion() == 1 && !closing && !loop.isEnding() && reader.isComplete();
    if (!usual || writer.writesInParts(response.body())) {
      ClientStream.super.stored(response, edits);
      return;
    }
    shares(response.shared());
    entry.status(response.head().status());
    entry.sent(response.body().limit());
    writer.stored(response, edits, entry.requestId());
    finished();
  }

  @Override
  public void data(ByteBuf data) {
    entry.sent(data.readableBytes());
    writer.data(data);
  }

  @Override
  public void flush() {
    writer.flush();
  }

  @Override
  public void trailers(Fields trailers) {
    if (head != null && head.takesTrailers()) {
      writer.trailers(trailers);
    }
  }

  @Override
  public void end() {
    if (writer.hasPartsLeft()) {
      endsWhenSent = true;
      writer.waits();
      return;
    }
    writer.end();
    finished();
  }

  /** Called when the socket has no more to read at the moment. */
  void readComplete() {
    if (exchange != null) {
      exchange.readComplete();
    }
  }

  @Override
  public AccessEntry entry() {
    return entry;
  }

  @Override
  public void reply(EdgeReply reply) {
    if (!context.channel().isActive()) {
      return;
    }
    reader.skipArrivedBody();
    closing |= !reader.isComplete() || loop.isEnding() || ResponseHeads.endsConnection(reply.status());
    entry.status(reply.status());
    if ((head == null || !head.isHead()) && ResponseHeads.mayHaveBody(reply.status())) {
      entry.sent(reply.body().length);
    }
    writer.reply(reply, head != null && head.isHead(), closing, entry.requestId());
    finished();
  }

  private void finished() {
    loop.log(entry);
    exchange = null;
    head = null;
    if (closing) {
      closeLingering();
      return;
    }
    writer.finish();
    reader.next();
  }

  /** Closes the connection; if the client may still be sending, its input is discarded for a while. */
  private void closeLingering() {
    writer.close(!reader.isExhausted());
    reader.close();
    context.channel().config().setAutoRead(true);
  }

  @Override
  public void abort() {
    loop.log(entry);
    exchange = null;
    reader.close();
    writer.abort();
  }

  @Override
  public boolean canTunnel() {
    return reader.isComplete() && !closing;
  }

  @Override
  public void switchProtocols(ResponseHead response, ResponseEdits edits, TunnelEnd end) {
    writer.switchProtocols(response, edits, entry.requestId());
    entry.status(response.status());
    loop.log(entry);
    exchange = null;
    head = null;
    end.early(reader.detach());
    context.pipeline().replace(context.handler(), "tunnel", end);
  }

  @Override
  public boolean isWritable() {
    return writer.isWritable();
  }

  @Override
  public RequestCount requestCount() {
    return requests;
  }

  @Override
  public boolean isCrowded() {
    return loop.isTight();
  }

  /** Called when the channel can take more, or no more. */
  void writabilityChanged() {
    long now = System.nanoTime();
    writer.restartReadingRate(now);
    if (!context.channel().isWritable()) {
      return;
    }
    if (writer.hasPartsLeft()) {
      writeParts();
    } else if (exchange != null) {
      exchange.writable();
    } else {
      reader.resume(now);
    }
  }

  private void writeParts() {
    if (!writer.writeParts()) {
      return;
    }
    if (endsWhenSent) {
      endsWhenSent = false;
      end();
    } else if (exchange != null) {
      exchange.writable();
    }
  }

  /** Called when the client's connection has closed. */
  void closed() {
    loop.log(entry);
    Exchange running = exchange;
    exchange = null;
    writer.discard();
    reader.close();
    if (running != null) {
      running.closed();
    }
  }

  /** Closes the connection after the current response, or at once between two requests. */
  void drain() {
    closing = true;
    if (reader.isIdle()) {
      context.close();
    }
  }
}
