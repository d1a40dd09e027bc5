package dev.gatehouse.gateway.admin.web;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A request's body, of which at most {@link #MAX_BYTES} are read, even if Content-Length is absent. */
final class BoundedBody extends ServletInputStream {

  /** Enough for thousands of people in one federation request, or for a complete configuration. */
  static final int MAX_BYTES = 4 << 20;

  static final String TOO_LARGE = "The body has more than " + (MAX_BYTES >> 20) + " MB.";

  /** Signals that the body exceeds the limit. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1;

    TooLarge() {
      super(TOO_LARGE);
    }
  }

  /** A request with a bounded body. */
  static final class Request extends HttpServletRequestWrapper {
    Request(HttpServletRequest request) {
      super(request);
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      return new BoundedBody(super.getInputStream());
    }

    @Override
    public BufferedReader getReader() throws IOException {
      return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }
  }

  private final ServletInputStream body;
  private int left = MAX_BYTES;

  private BoundedBody(ServletInputStream body) {
    this.body = body;
  }

  @Override
  public int read() throws IOException {
    int read = body.read();
    count(read < 0 ? 0 : 1);
    return read;
  }

  @Override
  public int read(byte[] into, int from, int most) throws IOException {
    int read = body.read(into, from, most);
    count(Math.max(0, read));
    return read;
  }

  private void count(int read) throws TooLarge {
    left -= read;
    if (left < 0) {
      throw new TooLarge();
    }
  }

  @Override
  public boolean isFinished() {
    return body.isFinished();
  }

  @Override
  public boolean isReady() {
    return body.isReady();
  }

  @Override
  public void setReadListener(ReadListener listener) {
    body.setReadListener(listener);
  }
}
