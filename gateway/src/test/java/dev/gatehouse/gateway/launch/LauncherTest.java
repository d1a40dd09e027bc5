package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The end of the process. */
class LauncherTest {

  @Test
  void aCommandThatDiesOfAnErrorEndsTheProcess() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code =
        Launcher.exitCode(
            () -> {
              throw new NoClassDefFoundError("a class of the jar that is gone");
            },
            new PrintStream(said, true, StandardCharsets.UTF_8));
    assertThat(code).isEqualTo(Launcher.DIED);
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("a class of the jar that is gone");
  }
}
