package dev.gatehouse.perf.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Programs that run to their end, and the questions that are asked of servers now and then. */
public final class Commands {

  /** A node under load takes its time. */
  private static final int TEXT_MILLIS = 30_000;

  private Commands() {}

  /** Those of the programs that are not installed. */
  public static List<String> missing(List<String> programs) {
    List<Path> folders =
        Stream.concat(Arrays.stream(System.getenv("PATH").split(":")), Stream.of("/usr/sbin")).map(Path::of).toList();
    return programs.stream().filter(name -> folders.stream().noneMatch(each -> Files.isExecutable(each.resolve(name)))).toList();
  }

  /**
   * Runs a program.
   *
   * @return what it wrote
   * @throws IOException with its output, if it cannot be started or fails
   */
  public static String output(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed:\n" + output.strip());
    }
    return output;
  }

  /** The command line of a JVM with the class path of this one. */
  public static List<String> java(List<String> flags, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return command;
  }

  /** A script in {@code perf/peers}, which starts a server for comparison. */
  static String peer(String name) throws IOException {
    Path script = Path.of(System.getenv().getOrDefault("GATEHOUSE_HOME", "."), "perf", "peers", name);
    if (!Files.isExecutable(script)) {
      throw new IOException(script + " is missing: start benchmarks with ./gatehouse bench");
    }
    return script.toString();
  }

  /** The status of a GET; 0 if there was no answer. */
  public static int status(String url, int timeoutMillis) {
    try {
      return connection(url, timeoutMillis).getResponseCode();
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * The answer to a GET for plain text.
   *
   * @throws IOException also if the status is no success
   */
  static String text(String url) throws IOException {
    HttpURLConnection connection = connection(url, TEXT_MILLIS);
    connection.setRequestProperty("Accept", "text/plain");
    try (InputStream body = connection.getInputStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static HttpURLConnection connection(String url, int timeoutMillis) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setConnectTimeout(timeoutMillis);
    connection.setReadTimeout(timeoutMillis);
    return connection;
  }
}
