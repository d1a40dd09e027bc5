package dev.gatehouse.common;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of the tests' class path in a JVM of its own, for tests that kill it: for its seconds neither C2 nor verified classes pay. */
public final class JavaProcess {

  private JavaProcess() {}

  /** Returns the command, without arguments of the program. */
  public static List<String> command(Class<?> program, String... options) {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    return command;
  }

  /** Returns a process that is not started yet. */
  public static ProcessBuilder of(Class<?> program, String... arguments) {
    List<String> command = command(program);
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }
}
