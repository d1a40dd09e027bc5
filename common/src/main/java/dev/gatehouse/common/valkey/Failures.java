package dev.gatehouse.common.valkey;

import dev.gatehouse.common.store.StoreUnavailable;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What callers are told of failures: one sentence that says what is wrong with the server. */
final class Failures {

  private Failures() {}

  /** Waits for the result. */
  static <T> T await(CompletionStage<T> result, Duration timeout) {
    try {
      return result.toCompletableFuture().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw unavailable(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new StoreUnavailable("Valkey did not answer within " + timeout.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailable("Interrupted while Valkey was asked", e);
    }
  }

  static StoreUnavailable unavailable(Throwable failure) {
    Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null ? wrapped.getCause() : failure;
    if (cause instanceof StoreUnavailable known) {
      return known;
    }
    return new StoreUnavailable("Valkey: " + sentence(cause), cause);
  }

  /** Returns what the server's error means and what to do about it. */
  static String sentence(Throwable failure) {
    String text = String.valueOf(failure.getMessage());
    if (failure instanceof RedisCommandExecutionException) {
      if (text.startsWith("NOREPLICAS")) {
        return "too few replicas are connected (min-replicas-to-write)";
      }
      if (text.startsWith("READONLY")) {
        return "the server is a replica, not the primary";
      }
      if (text.startsWith("OOM")) {
        return "its memory is full (maxmemory)";
      }
      if (text.startsWith("MISCONF")) {
        return "it cannot write to its disk and refuses changes";
      }
      if (text.startsWith("WRONGPASS") || text.startsWith("NOAUTH")) {
        return "it refuses user and password: correct valkey.user and valkey.password";
      }
      if (text.startsWith("NOPERM")) {
        return "its ACL refuses a command that gatehouse needs: " + text;
      }
    }
    return text;
  }
}
