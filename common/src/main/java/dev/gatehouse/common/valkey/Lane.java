package dev.gatehouse.common.valkey;

import dev.gatehouse.common.store.StoreUnavailable;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A connection for writes that count once they are acknowledged. {@code WAIT} blocks its connection, so scripts that come meanwhile
 * form the next batch: one {@code WAIT} acknowledges all scripts of a batch (group commit).
 */
final class Lane {

  private static final int MAX_QUEUED = 4_000;
  private static final int MAX_BATCH = 200;

  private record Pending(Script script, byte[][] keys, byte[][] arguments, CompletableFuture<Reply> result) {}

  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final RedisAsyncCommands<byte[], byte[]> commands;
  private final int replicas;
  private final long timeoutMillis;
  private final Queue<Pending> queue = new ArrayDeque<>();
  private boolean busy;

  /** @param replicas number of replicas that must have a write */
  Lane(StatefulRedisConnection<byte[], byte[]> connection, int replicas, long timeoutMillis) {
    this.connection = connection;
    this.commands = connection.async();
    this.replicas = replicas;
    this.timeoutMillis = timeoutMillis;
    connection.setAutoFlushCommands(false);
  }

  StatefulRedisConnection<byte[], byte[]> connection() {
    return connection;
  }

  /** Executes the script; the result completes once the write is acknowledged. */
  CompletableFuture<Reply> execute(Script script, byte[][] keys, byte[][] arguments) {
    Pending pending = new Pending(script, keys, arguments, new CompletableFuture<>());
    synchronized (queue) {
      if (queue.size() >= MAX_QUEUED) {
        throw new StoreUnavailable("Valkey is too slow: " + MAX_QUEUED + " writes wait already");
      }
      queue.add(pending);
      if (busy) {
        return pending.result();
      }
      busy = true;
    }
    send();
    return pending.result();
  }

  /** Returns how many writes wait for the next batch. */
  int queued() {
    synchronized (queue) {
      return queue.size() + (busy ? 1 : 0);
    }
  }

  private void send() {
    List<Pending> batch = new ArrayList<>();
    synchronized (queue) {
      while (batch.size() < MAX_BATCH && !queue.isEmpty()) {
        batch.add(queue.remove());
      }
      if (batch.isEmpty()) {
        busy = false;
        return;
      }
    }
    List<CompletableFuture<Reply>> replies = batch.stream().map(this::sent).toList();
    CompletionStage<Long> acknowledged =
        replicas == 0
            ? CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new)).handle((done, failure) -> 0L)
            : acknowledgement();
    connection.flushCommands();
    acknowledged.whenComplete(
        (count, failure) -> {
          for (int i = 0; i < batch.size(); i++) {
            complete(batch.get(i).result(), replies.get(i), count, failure);
          }
          send();
        });
  }

  private CompletionStage<Long> acknowledgement() {
    return commands.waitForReplication(replicas, timeoutMillis);
  }

  private void complete(
      CompletableFuture<Reply> result, CompletableFuture<Reply> reply, @Nullable Long acknowledged, @Nullable Throwable failure) {
    if (!reply.isDone() || reply.isCompletedExceptionally()) {
      result.completeExceptionally(Failures.unavailable(reply.isDone() ? reply.exceptionNow() : new StoreUnavailable("No answer")));
    } else if (failure != null) {
      result.completeExceptionally(
          new StoreUnavailable("Valkey executed a write, but its acknowledgement by a replica is unknown", failure));
    } else if (acknowledged == null || acknowledged < replicas) {
      result.completeExceptionally(
          new StoreUnavailable(
              "Valkey executed a write, but no replica acknowledged it within " + timeoutMillis + " ms",
              new Reachability.NotAcknowledged()));
    } else {
      result.complete(reply.resultNow());
    }
  }

  private CompletableFuture<Reply> sent(Pending pending) {
    CompletableFuture<Reply> result = new CompletableFuture<>();
    commands
        .<List<@Nullable Object>>evalsha(pending.script().digest(), ScriptOutputType.MULTI, pending.keys(), pending.arguments())
        .whenComplete(
            (parts, failure) -> {
              if (failure != null) {
                result.completeExceptionally(Failures.unavailable(failure));
              } else {
                result.complete(new Reply(parts));
              }
            });
    return result;
  }
}
