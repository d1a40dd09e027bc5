package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.gateway.message.Http2RequestHeads;
import dev.gatehouse.gateway.message.Http2Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;

/** Passes the frames of a client's connection to their streams, and counts frames that belong to no request. */
final class Http2Frames extends Http2EventAdapter {

  private final Http2ClientConnection client;
  private final Http2RequestHeads heads;

  Http2Frames(Http2ClientConnection client, Http2RequestHeads heads) {
    this.client = client;
    this.heads = heads;
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx, int id, Http2Headers headers, int dependency, short weight, boolean exclusive,
      int padding, boolean last)
      throws Http2Exception {
    onHeadersRead(ctx, id, headers, padding, last);
  }

  @Override
  public void onHeadersRead(ChannelHandlerContext ctx, int id, Http2Headers headers, int padding, boolean last)
      throws Http2Exception {
    Http2ReceivedFields fields = (Http2ReceivedFields) headers;
    Http2ClientStream known = client.streams().find(id);
    if (known != null) {
      Http2Trailers trailers = new Http2Trailers();
      fields.giveTo(trailers::field);
      known.trailers(trailers);
      return;
    }
    heads.begin();
    fields.giveTo(heads::field);
    client.begin(id, heads.finish(last), last);
  }

  @Override
  public int onDataRead(ChannelHandlerContext ctx, int id, ByteBuf data, int padding, boolean last)
      throws Http2Exception {
    if (!data.isReadable() && !last) {
      client.floods().idleFrame();
    }
    Http2ClientStream stream = client.streams().find(id);
    return stream == null ? data.readableBytes() + padding : stream.received(data, padding, last);
  }

  @Override
  public void onRstStreamRead(ChannelHandlerContext ctx, int id, long error) throws Http2Exception {
    client.floods().reset();
  }

  @Override
  public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
    client.floods().idleFrame();
  }

  @Override
  public void onPingAckRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
    client.floods().idleFrame();
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
    client.floods().idleFrame();
  }

  @Override
  public void onSettingsAckRead(ChannelHandlerContext ctx) throws Http2Exception {
    client.floods().idleFrame();
  }

  @Override
  public void onPriorityRead(ChannelHandlerContext ctx, int id, int dependency, short weight, boolean exclusive)
      throws Http2Exception {
    client.floods().idleFrame();
  }

  @Override
  public void onWindowUpdateRead(ChannelHandlerContext ctx, int id, int increment) throws Http2Exception {
    client.floods().idleFrame();
  }

  @Override
  public void onGoAwayRead(ChannelHandlerContext ctx, int lastId, long error, ByteBuf debug) throws Http2Exception {
    client.floods().idleFrame();
  }

  @Override
  public void onUnknownFrame(ChannelHandlerContext ctx, byte type, int id, Http2Flags flags, ByteBuf payload)
      throws Http2Exception {
    client.floods().idleFrame();
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    client.closed(stream);
  }
}
