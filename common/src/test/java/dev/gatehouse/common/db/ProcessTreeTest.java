package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Signals of tests reach the processes that they are for, and no others. */
@Timeout(60)
class ProcessTreeTest {

  @Test
  void aProcessThatHasItsNumberFromOneThatHasEndedGetsNoSignal() throws Exception {
    Process other = new ProcessBuilder("sleep", "60").start();
    try {
      ProcessTree.signal("-TERM", Stream.of(ended(other.pid())));
      assertThat(other.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
      new ProcessTree(other).signalServer("-TERM");
      assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      other.destroyForcibly();
    }
  }

  private static ProcessHandle ended(long pid) {
    Object handle =
        Proxy.newProxyInstance(
            ProcessTreeTest.class.getClassLoader(), new Class<?>[] {ProcessHandle.class},
            (self, method, arguments) -> method.getName().equals("isAlive") ? Boolean.FALSE : Long.valueOf(pid));
    return (ProcessHandle) handle;
  }
}
