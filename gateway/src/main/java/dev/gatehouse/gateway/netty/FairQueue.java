package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.traffic.ConnectionCount;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Begins the requests of clients that have many connections or requests: a few in each turn of the event loop, and from
 * the addresses by turns. Thousands that arrive together would otherwise hold up every other client. Used by its event loop
 * only.
 */
final class FairQueue {

  /** Requests that begin in one turn of the event loop. */
  static final int AT_ONCE = 16;

  private final EventLoop loop;

  /** The address whose turn comes first is the first one. */
  private final Map<ConnectionCount.OfAddress, Queue<Waiting>> waiting = new LinkedHashMap<>();

  private int begun;

  private record Waiting(Channel channel, Runnable request) {

    void begin() {
      try {
        request.run();
      } catch (RuntimeException | OutOfMemoryError e) {
        channel.pipeline().fireExceptionCaught(e);
      }
    }
  }

  FairQueue(EventLoop loop) {
    this.loop = loop;
  }

  /**
   * Begins a request, now or in a later turn.
   *
   * @param address of its client
   * @param channel of its client, which learns of a request that fails to begin
   */
  void begin(ConnectionCount.OfAddress address, Channel channel, Runnable request) {
    if (begun == 0 && waiting.isEmpty()) {
      afterThisTurn();
    }
    if (begun < AT_ONCE && waiting.isEmpty()) {
      begun++;
      request.run();
      return;
    }
    waiting.computeIfAbsent(address, unknown -> new ArrayDeque<>()).add(new Waiting(channel, request));
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
      ConnectionCount.OfAddress first = waiting.keySet().iterator().next();
      Queue<Waiting> requests = waiting.remove(first);
      Waiting next = requests.remove();
      if (!requests.isEmpty()) {
        waiting.put(first, requests);
      }
      next.begin();
    }
  }
}
