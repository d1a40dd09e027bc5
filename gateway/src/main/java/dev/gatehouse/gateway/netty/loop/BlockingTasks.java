package dev.gatehouse.gateway.netty.loop;

import io.netty.channel.EventLoop;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Runs a blocking task on a virtual thread and brings its result back to the event loop. */
public final class BlockingTasks {

  private BlockingTasks() {}

  /**
   * Calls exactly one of {@code done} and {@code failed} on the event loop, unless the event loop has ended meanwhile.
   */
  public static <T> void call(EventLoop loop, Callable<T> work, Consumer<T> done, Consumer<Throwable> failed) {
    Thread.ofVirtual()
        .name("gateway-blocking")
        .start(
            () -> {
              Runnable back;
              try {
                T result = work.call();
                back = () -> done.accept(result);
              } catch (Throwable e) {
                // This includes an Error: a request that exhausts the stack must still get a response.
                back = () -> failed.accept(e);
              }
              try {
                loop.execute(back);
              } catch (RejectedExecutionException e) {
                // The server has stopped, and the client's connection is closed.
                return;
              }
            });
  }
}
