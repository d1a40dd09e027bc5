package dev.gatehouse.gateway.netty.http2;

import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.AsciiString;

/**
 * The frame codec and HPACK of one client connection, with limits on everything (RFC 9113, section 10.5): streams, the
 * size of a head, CONTINUATION frames, both HPACK tables, and what may be sent ahead.
 */
public final class Http2Codec {

  /** Streams that a client may have open at a time. */
  public static final int MAX_STREAMS = 128;

  /** Bytes that a client may send ahead on a stream, and on all streams together. */
  static final int STREAM_WINDOW = 256 * 1024;

  static final int CONNECTION_WINDOW = 1024 * 1024;

  /** Small CONTINUATION frames of one head. */
  private static final int MAX_SMALL_CONTINUATIONS = 16;

  /** Bytes of the HPACK table for response heads, even if the client allows more. */
  private static final int MAX_TABLE = 4096;

  private static final AsciiString SET_COOKIE = AsciiString.cached("set-cookie");

  private final Http2ConnectionDecoder decoder;
  private final Http2ConnectionEncoder encoder;
  private final Http2Settings settings;

  Http2Codec(int maxHead) {
    Http2Connection connection = new DefaultHttp2Connection(true);
    // The limit applies from the first frame on, not only when the client has acknowledged the setting.
    connection.remote().maxActiveStreams(MAX_STREAMS);
    // Priorities are obsolete (RFC 9113, section 5.3.2), and a client could make us maintain a priority tree.
    connection
        .remote()
        .flowController(new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
    this.encoder =
        new DefaultHttp2ConnectionEncoder(connection, new DefaultHttp2FrameWriter(new BoundedEncoder()));
    DefaultHttp2FrameReader reader =
        new DefaultHttp2FrameReader(new FieldsDecoder(maxHead), MAX_SMALL_CONTINUATIONS);
    this.decoder =
        new DefaultHttp2ConnectionDecoder(
            connection, encoder, reader, Http2PromisedRequestVerifier.ALWAYS_VERIFY, true, true, false);
    this.settings =
        new Http2Settings()
            .maxConcurrentStreams(MAX_STREAMS)
            .initialWindowSize(STREAM_WINDOW)
            .maxHeaderListSize(maxHead);
  }

  Http2ConnectionDecoder decoder() {
    return decoder;
  }

  Http2ConnectionEncoder encoder() {
    return encoder;
  }

  Http2Settings settings() {
    return settings;
  }

  /** Passes the fields on unchecked; {@link Http2Frames} checks them. */
  private static final class FieldsDecoder extends DefaultHttp2HeadersDecoder {

    private final Http2ReceivedFields fields = new Http2ReceivedFields();

    FieldsDecoder(int maxHead) {
      super(false, maxHead);
    }

    @Override
    protected Http2Headers newHeaders() {
      return fields.reset();
    }
  }

  private static final class BoundedEncoder extends DefaultHttp2HeadersEncoder {

    BoundedEncoder() {
      // Neither is sent again: they would only push others out of the table.
      super((name, value) -> SET_COOKIE.contentEquals(name) || Http2ResponseHeads.REQUEST_ID.contentEquals(name), true);
    }

    @Override
    public void maxHeaderTableSize(long max) throws Http2Exception {
      super.maxHeaderTableSize(Math.min(max, MAX_TABLE));
    }
  }
}
