package dev.gatehouse.common.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;

/** Reads the head of a response. Rejects a head that ends before its empty line (RFC 9112, section 8) or is too large. */
final class HeadParser extends DefaultHttpResponseParser {

  private static final int MAX_BYTES = 64 << 10;

  HeadParser(Http1Config limits) {
    super(limits);
  }

  @Override
  public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream in) throws IOException, HttpException {
    CountedInput counted = new CountedInput(in);
    ClassicHttpResponse response = super.parse(buffer, counted);
    // HttpClient itself reports a connection that closes before the first byte.
    if (counted.ended && response != null) {
      throw new ConnectionClosedException("the response ends within its head");
    }
    return response;
  }

  private static final class CountedInput extends FilterInputStream {
    private int bytes;
    private boolean ended;

    CountedInput(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      ended = read < 0;
      bytes += Math.max(0, read);
      if (bytes > MAX_BYTES) {
        throw new MessageConstraintException("the head of the response is larger than " + MAX_BYTES + " bytes");
      }
      return read;
    }
  }
}
