package dev.gatehouse.gateway.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The built application, started as {@code ./gatehouse} starts it. */
public final class BuiltNode {

  private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String MAIN = "dev.gatehouse.gateway.launch.Launcher";

  /** Names a class path to start from in place of the built jar, so that a development environment needs no package. */
  private static final String CLASS_PATH = "GATEHOUSE_TEST_CLASSPATH";

  private static final Duration START = Duration.ofMinutes(2);

  private BuiltNode() {}

  /**
   * {@code gatehouse run --config FOLDER}; returns when it is ready.
   *
   * @param logs where {@code node.log} goes
   * @param environment for the {@code ${NAME}}s of the configuration
   */
  public static ServerProcess run(Path config, Path logs, Map<String, String> environment) {
    return start(logs, environment, "run", "--config", config.toString());
  }

  /** Any command that says {@code Gatehouse is ready} and stays. */
  public static ServerProcess start(Path logs, Map<String, String> environment, String... arguments) {
    ServerProcess process = ServerProcess.start("node", logs, environment, command(arguments));
    return process.await(() -> process.output().contains("Gatehouse is ready"), START);
  }

  /**
   * The command line, with the launcher script's flags, a heap that leaves room for other tests, without the compiler C2, which would take
   * a third of the processor time of a node that lives for seconds, and with the native calls by which a demo starts faster (decision 358).
   */
  public static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(java());
    String classes = System.getenv(CLASS_PATH);
    command.addAll(classes == null ? BuiltApplication.arguments() : List.of("-cp", classes, MAIN));
    command.addAll(List.of(arguments));
    return command;
  }

  /** The Java of this JVM with those flags. */
  static List<String> java() {
    return List.of(
        JAVA, "-Xmx512m", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-Dfile.encoding=UTF-8",
        "-Djava.awt.headless=true", "-Djdk.reflect.useNativeAccessorOnly=true");
  }
}
