package dev.gatehouse.common.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DataLockTest {

  @TempDir Path folder;

  @Test
  void keepsAnotherPartOfThisProcessOut() {
    Path data = folder.resolve("data");
    try (DataLock lock = DataLock.take(data, "restore")) {
      lock.requireHeld();
      assertThat(DataLock.holder(data)).contains("restore");
      assertThatExceptionOfType(DataLock.Held.class)
          .isThrownBy(() -> DataLock.take(data, DataLock.NODE))
          .withMessageContaining("./gatehouse restore works on the data in " + data);
    }
    assertThat(DataLock.holder(data)).isEmpty();
    DataLock.take(data, DataLock.NODE).close();
  }

  @Test
  void keepsOtherProcessesOutUntilTheHolderIsKilled() throws Exception {
    Path data = folder.resolve("data");
    Process holder = JavaProcess.of(Holder.class, data.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader out = new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).isEqualTo("held");
      assertThat(DataLock.holder(data)).contains(DataLock.NODE);
      assertThatExceptionOfType(DataLock.Held.class)
          .isThrownBy(() -> DataLock.take(data, "recover"))
          .withMessageContaining("stop it first");
      // The refused request has not released the lock.
      assertThat(DataLock.holder(data)).contains(DataLock.NODE);
    } finally {
      holder.destroyForcibly();
      holder.waitFor(60, TimeUnit.SECONDS);
    }
    assertThat(DataLock.holder(data)).isEmpty();
    DataLock.take(data, "recover").close();
  }

  /** Takes the lock as a node and stays until it is killed. */
  static final class Holder {
    public static void main(String[] arguments) throws IOException, InterruptedException {
      try (DataLock lock = DataLock.take(Path.of(arguments[0]), DataLock.NODE)) {
        lock.requireHeld();
        System.out.println("held");
        Thread.sleep(100_000);
      }
    }
  }
}
