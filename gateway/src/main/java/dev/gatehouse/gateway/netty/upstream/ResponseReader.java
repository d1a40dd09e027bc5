package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ParsedResponse;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.message.ResponseParser;
import dev.gatehouse.gateway.netty.codec.BodyReader;
import dev.gatehouse.gateway.netty.codec.HeadReader;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the responses of one connection to an app, one after the other, each for the listener of its request. */
final class ResponseReader {

  /** Interim heads before one response. */
  private static final int MAX_INTERIM = 16;

  private final ResponseParser parser;
  private final HeadReader heads;
  private final BooleanSupplier requestSent;

  private @Nullable UpstreamListener listener;
  private @Nullable ByteBuf input;
  private @Nullable ResponseHead head;
  private @Nullable BodyReader body;
  private boolean answersHead;
  private boolean upgradable;
  private boolean heard;
  private boolean early;
  private int interims;

  /** @param requestSent whether the app may have read the whole request */
  ResponseReader(HeadLimits limits, BooleanSupplier requestSent) {
    this.heads = HeadReader.ofResponses(limits);
    this.parser = new ResponseParser(limits);
    this.requestSent = requestSent;
  }

  /** Expects the response to a new request. */
  void begin(UpstreamListener next) {
    listener = next;
    heard = false;
    early = false;
    interims = 0;
    head = null;
    body = null;
  }

  /** Expects a response to HEAD, which has no body. */
  void answersHead(boolean isHead) {
    answersHead = isHead;
  }

  /** Allows the response to be a 101. */
  void mayUpgrade() {
    upgradable = true;
  }

  /** The listener of the active request; null if none is active. */
  @Nullable UpstreamListener listener() {
    return listener;
  }

  /** Forgets the listener, which gets no more of the response. */
  @Nullable UpstreamListener forget() {
    UpstreamListener to = listener;
    listener = null;
    return to;
  }

  /** Returns whether the response has begun with its final head. */
  boolean hasBegun() {
    return body != null;
  }

  /**
   * Reads bytes of the app, for the active request; closes the connection if they are malformed.
   *
   * @return whether the response is complete; {@link #finish} must follow
   */
  boolean read(ChannelHandlerContext ctx, ByteBuf in) {
    heard = true;
    input = input == null ? in : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), input, in);
    while (input != null && listener != null) {
      if (body == null && !readHead(ctx, input)) {
        return false;
      }
      if (body != null && readBody(ctx, body, input)) {
        return true;
      }
      if (input != null && !input.isReadable()) {
        releaseInput();
      }
    }
    return false;
  }

  /** Returns whether a head was read. */
  private boolean readHead(ChannelHandlerContext ctx, ByteBuf in) {
    byte[] bytes = heads.read(in);
    if (heads.malformation() != null) {
      malformed(ctx);
    }
    if (bytes == null) {
      return false;
    }
    switch (parser.parse(bytes, answersHead, upgradable)) {
      case ParsedResponse.Malformed bad -> {
        malformed(ctx);
        return false;
      }
      case ResponseHead parsed -> {
        UpstreamListener to = listener;
        if (parsed.status() == 101) {
          if (to != null) {
            to.upgraded(parsed);
          }
          return false;
        }
        if (!parsed.isInterim()) {
          // Unread bytes of the request might be taken for the next request.
          early = !requestSent.getAsBoolean();
          head = parsed;
          body = new BodyReader(parsed.framing());
        } else if (++interims > MAX_INTERIM) {
          malformed(ctx);
          return false;
        }
        if (to != null) {
          to.head(parsed);
        }
        return true;
      }
    }
  }

  /** Returns whether the body is complete. */
  private boolean readBody(ChannelHandlerContext ctx, BodyReader reader, ByteBuf in) {
    while (in.isReadable() && !reader.isDone()) {
      ByteBuf data = reader.read(in);
      UpstreamListener to = listener;
      if (reader.malformation() != null || to == null) {
        data.release();
        malformed(ctx);
        return false;
      }
      if (data.isReadable()) {
        to.data(data);
      } else {
        data.release();
      }
    }
    return reader.isDone();
  }

  private void malformed(ChannelHandlerContext ctx) {
    fail(ctx, UpstreamFailure.MALFORMED);
  }

  /** Closes the connection; the response ends as failed or, if it has begun, as truncated. */
  void fail(ChannelHandlerContext ctx, UpstreamFailure failure) {
    UpstreamListener to = forget();
    ctx.close();
    if (to != null && body == null) {
      to.failed(failure, false);
    } else if (to != null) {
      to.truncated();
    }
  }

  /** Passes on the trailers of a complete response; returns whether the connection may carry another request. */
  boolean finish() {
    Fields trailers = body == null ? null : body.trailers();
    if (listener != null && trailers != null) {
      listener.trailers(trailers);
    }
    boolean more = input != null && input.isReadable();
    releaseInput();
    return !more && !early && head != null && head.keepAlive();
  }

  /**
   * Ends a response whose connection was reset, or over TLS was closed without close_notify: neither completes a body that ends with the
   * connection.
   */
  void reset() {
    UpstreamListener to = listener;
    if (to != null && body != null && body.endsWithConnection()) {
      listener = null;
      to.truncated();
    }
  }

  /**
   * Ends the response because the connection has closed.
   *
   * @param reused whether the connection had served before, so that the app may have closed it while it was idle
   */
  void closed(boolean reused) {
    releaseInput();
    UpstreamListener to = forget();
    if (to == null) {
      return;
    }
    if (body == null) {
      // A part of a head is a malformed response, not a closed idle connection.
      to.failed(heard ? UpstreamFailure.MALFORMED : UpstreamFailure.CLOSED, reused && !heard);
    } else if (body.endsWithConnection()) {
      to.end();
    } else {
      to.truncated();
    }
  }

  /** Takes the bytes that were read after the head of a 101; nothing more is read here. */
  @Nullable ByteBuf detach() {
    ByteBuf rest = input;
    listener = null;
    input = null;
    return rest;
  }

  /** Bytes of the buffer for input. */
  int held() {
    return input == null ? 0 : input.capacity();
  }

  private void releaseInput() {
    if (input != null) {
      input.release();
      input = null;
    }
  }
}
