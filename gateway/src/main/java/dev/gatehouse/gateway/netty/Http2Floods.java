package dev.gatehouse.gateway.netty;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.ShutdownHint;

/**
 * Counts what costs us and brings a client nothing: streams that are given up, and frames that carry neither a request
 * nor a body. Where it never ends, the connection does: GOAWAY with ENHANCE_YOUR_CALM (RFC 9113, section 10.5).
 */
final class Http2Floods {

  private static final int MOST_RESETS = 200;
  private static final int RESETS_PER_SECOND = 10;
  private static final int MOST_IDLE_FRAMES = 1000;
  private static final int IDLE_FRAMES_PER_SECOND = 50;

  private final FrameBudget resets = new FrameBudget(MOST_RESETS, RESETS_PER_SECOND, System.nanoTime());
  private final FrameBudget idleFrames = new FrameBudget(MOST_IDLE_FRAMES, IDLE_FRAMES_PER_SECOND, System.nanoTime());
  private final Runnable first;
  private boolean flooded;

  /** @param first called once, where it is too much */
  Http2Floods(Runnable first) {
    this.first = first;
  }

  /** A frame that carries no request and no body. */
  void idleFrame() throws Http2Exception {
    if (!idleFrames.spend(System.nanoTime())) {
      throw flooded("idle frames");
    }
  }

  /** A stream that was given up, by the client or because of what it sent. */
  void reset() throws Http2Exception {
    if (!resets.spend(System.nanoTime())) {
      throw flooded("resets");
    }
  }

  /** Work that was done for the client allows it that many frames about it: window updates, above all. */
  void earn(int frames) {
    idleFrames.earn(frames);
  }

  private Http2Exception flooded(String what) {
    if (!flooded) {
      flooded = true;
      first.run();
    }
    return new Http2Exception(Http2Error.ENHANCE_YOUR_CALM, "too many " + what, ShutdownHint.HARD_SHUTDOWN);
  }
}
