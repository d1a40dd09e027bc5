package dev.gatehouse.gateway.netty.http2;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.ShutdownHint;

/**
 * Counts events that cost the gateway work without serving a request: streams that are reset, and frames that carry
 * neither a request nor a body. Too many of them end the connection with GOAWAY and ENHANCE_YOUR_CALM (RFC 9113,
 * section 10.5).
 */
final class Http2Floods {

  private static final int MAX_RESETS = 200;
  private static final int RESETS_PER_SECOND = 10;
  private static final int MAX_IDLE_FRAMES = 1000;
  private static final int IDLE_FRAMES_PER_SECOND = 50;

  private final FrameBudget resets = new FrameBudget(MAX_RESETS, RESETS_PER_SECOND, System.nanoTime());
  private final FrameBudget idleFrames = new FrameBudget(MAX_IDLE_FRAMES, IDLE_FRAMES_PER_SECOND, System.nanoTime());
  private final Runnable onFirstFlood;
  private boolean flooded;

  /** @param first called once, when a limit is exceeded */
  Http2Floods(Runnable onFirstFlood) {
    this.onFirstFlood = onFirstFlood;
  }

  /** Counts a frame that carries neither a request nor a body. */
  void idleFrame() throws Http2Exception {
    if (!idleFrames.spend(System.nanoTime())) {
      throw flooded("idle frames");
    }
  }

  /** Counts a stream that was reset, by the client or because of what it sent. */
  void reset() throws Http2Exception {
    if (!resets.spend(System.nanoTime())) {
      throw flooded("resets");
    }
  }

  /** Allows further frames because of useful work, above all for window updates. */
  void earn(int frames) {
    idleFrames.earn(frames);
  }

  private Http2Exception flooded(String what) {
    if (!flooded) {
      flooded = true;
      onFirstFlood.run();
    }
    return new Http2Exception(Http2Error.ENHANCE_YOUR_CALM, "too many " + what, ShutdownHint.HARD_SHUTDOWN);
  }
}
