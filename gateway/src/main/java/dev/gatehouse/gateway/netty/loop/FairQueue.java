package dev.gatehouse.gateway.netty.loop;

import dev.gatehouse.gateway.traffic.ConnectionCount;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;

/**
 * Begins the requests of clients that have many connections or requests: a few in each turn of the event loop, by turns
 * from each address and, of an address, from each connection. Thousands that arrive together would otherwise hold up every
 * other client. Used by its event loop only.
 */
public final class FairQueue {

  /** Requests that begin in one turn of the event loop. */
  public static final int AT_ONCE = 16;

  private final EventLoop loop;

  /** By address and connection, in the order of their turns. */
  private final SequencedMap<ConnectionCount.OfAddress, SequencedMap<Channel, Queue<Runnable>>> waiting = new LinkedHashMap<>();

  private int begun;

  FairQueue(EventLoop loop) {
    this.loop = loop;
  }

  /**
   * Begins a request, now or in a later turn.
   *
   * @param address of its client
   * @param channel of its client, which learns of a request that fails to begin
   */
  public void begin(ConnectionCount.OfAddress address, Channel channel, Runnable request) {
    if (begun == 0 && waiting.isEmpty()) {
      afterThisTurn();
    }
    if (begun < AT_ONCE && waiting.isEmpty()) {
      begun++;
      request.run();
      return;
    }
    waiting
        .computeIfAbsent(address, unknown -> new LinkedHashMap<>())
        .computeIfAbsent(channel, unknown -> new ArrayDeque<>())
        .add(request);
  }

  /** A task that is scheduled runs after the event loop has served its channels; one that is executed would not wait. */
  private void afterThisTurn() {
    loop.schedule(this::nextTurn, 1, TimeUnit.NANOSECONDS);
  }

  private void nextTurn() {
    begun = 0;
    if (waiting.isEmpty()) {
      return;
    }
    afterThisTurn();
    while (begun < AT_ONCE && !waiting.isEmpty()) {
      begun++;
      beginNext();
    }
  }

  private void beginNext() {
    Map.Entry<ConnectionCount.OfAddress, SequencedMap<Channel, Queue<Runnable>>> ofAddress =
        Objects.requireNonNull(waiting.pollFirstEntry());
    Map.Entry<Channel, Queue<Runnable>> ofChannel = Objects.requireNonNull(ofAddress.getValue().pollFirstEntry());
    Runnable request = ofChannel.getValue().remove();
    if (!ofChannel.getValue().isEmpty()) {
      ofAddress.getValue().put(ofChannel.getKey(), ofChannel.getValue());
    }
    if (!ofAddress.getValue().isEmpty()) {
      waiting.put(ofAddress.getKey(), ofAddress.getValue());
    }
    try {
      request.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      ofChannel.getKey().pipeline().fireExceptionCaught(e);
    }
  }
}
