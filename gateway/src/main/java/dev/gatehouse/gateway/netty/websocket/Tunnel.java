package dev.gatehouse.gateway.netty.websocket;

import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.WatchedConnection;
import dev.gatehouse.gateway.websocket.CloseFrame;
import java.time.Duration;

/**
 * A WebSocket between a client and an app: after the upgrade it passes bytes in both directions, each side only as fast
 * as the other takes them. The bytes are never parsed as HTTP. The tunnel ends with either side, with the session it
 * was opened for, after silence, and when the server stops. If the gateway ends it, each side gets a close frame,
 * unless a frame to that side is incomplete. Belongs to one event loop.
 */
public final class Tunnel implements WatchedConnection {

  /** How long both sides may take to close a tunnel that the gateway has ended. */
  private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

  private static final long SESSION_NANOS = Duration.ofSeconds(1).toNanos();

  private final GatewayEventLoop loop;
  private final TunnelSession session;
  private final TunnelEnd client;
  private final TunnelEnd app;
  private final long idle;
  private final long write;
  private long heard = System.nanoTime();
  private long sessionChecked = heard;
  private long endedAt;
  private boolean ended;
  private boolean draining;

  /**
   * @param idle how long both sides may be silent
   * @param write how long a side may read nothing
   */
  public Tunnel(GatewayEventLoop loop, TunnelSession session, Duration idle, Duration write) {
    this.loop = loop;
    this.session = session;
    this.client = new TunnelEnd(this);
    this.app = new TunnelEnd(this);
    this.idle = idle.toNanos();
    this.write = write.toNanos();
  }

  /** The handler of the client's channel. */
  public TunnelEnd client() {
    return client;
  }

  /** The handler of the app's channel. */
  public TunnelEnd app() {
    return app;
  }

  /** Starts the tunnel when both handlers are in place. */
  public void open() {
    client.open(app);
    app.open(client);
    loop.watch(this);
  }

  void heard() {
    heard = System.nanoTime();
  }

  boolean isEnded() {
    return ended;
  }

  /** Ends the tunnel because one side closed; the other side still gets everything that was sent. */
  void closed(TunnelEnd by) {
    TunnelEnd other = by == client ? app : client;
    other.closeAfterOutput();
    if (!other.isActive()) {
      loop.forget(this);
    }
    ended = true;
    endedAt = System.nanoTime();
  }

  @Override
  public void check(long now) {
    if (ended) {
      if (now - endedAt > LINGER_NANOS) {
        abort();
      }
      return;
    }
    if (client.isStalled(now, write) || app.isStalled(now, write)) {
      abort();
      return;
    }
    if (draining && client.isBetweenFrames() && app.isBetweenFrames()) {
      end(CloseFrame.GOING_AWAY);
      return;
    }
    if (now - heard > idle) {
      end(CloseFrame.GOING_AWAY);
      return;
    }
    if (now - sessionChecked > SESSION_NANOS) {
      sessionChecked = now;
      session.check(client.hasSpoken(), () -> end(CloseFrame.SESSION_ENDED));
    }
  }

  /** A message that is on its way is sent to its end before the close frame, unless that takes too long. */
  @Override
  public void drain() {
    if (client.isBetweenFrames() && app.isBetweenFrames()) {
      end(CloseFrame.GOING_AWAY);
    } else {
      draining = true;
    }
  }

  @Override
  public long held() {
    return client.pending() + app.pending();
  }

  @Override
  public void evict() {
    abort();
  }

  private void end(CloseFrame frame) {
    if (ended) {
      return;
    }
    ended = true;
    endedAt = System.nanoTime();
    client.end(app.isBetweenFrames() ? frame.toClient() : new byte[0]);
    app.end(client.isBetweenFrames() ? frame.toApp() : new byte[0]);
  }

  private void abort() {
    loop.forget(this);
    ended = true;
    client.close();
    app.close();
  }
}
