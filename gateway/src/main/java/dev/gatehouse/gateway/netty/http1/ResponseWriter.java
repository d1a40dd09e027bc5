package dev.gatehouse.gateway.netty.http1;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.filter.ResponseFieldsFilter;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.codec.BodyWriter;
import dev.gatehouse.gateway.netty.codec.ResponseHeads;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.LingeringClose;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.Arrays;

/** Writes responses to one HTTP/1.1 client, and ends the connection so that the client can read the last one. */
final class ResponseWriter {

  private final ChannelHandlerContext context;
  private final GatewayEventLoop loop;
  private final BodyWriter writer;

  ResponseWriter(ChannelHandlerContext context, GatewayEventLoop loop) {
    this.context = context;
    this.loop = loop;
    this.writer = new BodyWriter(context);
  }

  void continue100() {
    context.writeAndFlush(ByteBufUtil.writeAscii(context.alloc(), "HTTP/1.1 100 Continue\r\n\r\n"));
  }

  void interim(ResponseHead response) {
    HeadBuffer out = loop.head();
    ResponseHeads.interim(response, out);
    writer.head(out, false);
    writer.flush();
  }

  void head(ResponseHead response, ResponseEdits edits, boolean oldClient, boolean close) {
    HeadBuffer out = loop.head();
    boolean chunked = ResponseHeads.proxied(response, edits, oldClient, close, out);
    writer.head(out, chunked);
  }

  /** Writes a complete stored response; its head is encoded once a second. */
  void stored(AgedResponse response, ResponseEdits edits) {
    byte[] head = response.encoded(edits);
    if (head == null) {
      HeadBuffer out = loop.head();
      ResponseHeads.proxied(response.head(), edits, false, false, out);
      head = Arrays.copyOf(out.array(), out.length());
      response.encoded(edits, head);
    }
    writer.whole(head, response.body());
  }

  void data(ByteBuf data) {
    writer.data(data);
  }

  void trailers(Fields trailers) {
    HeadBuffer out = loop.head();
    ResponseFieldsFilter.writeTrailers(trailers, out);
    if (out.length() > 0) {
      writer.trailers(out);
    }
  }

  void end() {
    writer.end();
  }

  void reply(EdgeReply reply, boolean answersHead, boolean close) {
    HeadBuffer out = loop.head();
    ResponseHeads.own(reply, loop.date(), close, out);
    writer.head(out, false);
    if (!answersHead && ResponseHeads.mayHaveBody(reply.status())) {
      writer.data(Unpooled.wrappedBuffer(reply.body()));
    }
    writer.end();
  }

  void flush() {
    writer.flush();
  }

  void discard() {
    writer.discard();
  }

  /** Closes the connection after everything was written. */
  void close() {
    writer.flush();
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  /** Closes the sending side after everything was written, and leaves the receiving side open. */
  void endOutput() {
    writer.flush();
    LingeringClose.endOutput(context.channel());
  }

  /** Writes the 101 after which the connection no longer carries HTTP. */
  void switchProtocols(ResponseHead response, ResponseEdits edits) {
    HeadBuffer out = loop.head();
    ResponseHeads.switching(response, edits, out);
    writer.head(out, false);
    writer.flush();
  }
}
