package dev.gatehouse.gateway.netty;

import io.netty.channel.EventLoop;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Runs what blocks on a virtual thread and brings the result back to the event loop. */
final class BlockingTasks {

  private BlockingTasks() {}

  /** Exactly one of {@code done} and {@code failed} is called, on the loop, unless the loop has ended meanwhile. */
  static <T> void call(EventLoop loop, Callable<T> work, Consumer<T> done, Consumer<Throwable> failed) {
    Thread.ofVirtual()
        .name("gateway-blocking")
        .start(
            () -> {
              Runnable back;
              try {
                T result = work.call();
                back = () -> done.accept(result);
              } catch (Throwable e) {
                // An Error too: a stack that a request has exhausted must not leave its client without an answer.
                back = () -> failed.accept(e);
              }
              try {
                loop.execute(back);
              } catch (RejectedExecutionException e) {
                // The server has stopped and the client is gone with it.
                return;
              }
            });
  }
}
